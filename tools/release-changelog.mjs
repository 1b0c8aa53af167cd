import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './command.mjs'

// `npm run release -- minor` runs this after setting the version, before the commit. It moves the
// unreleased entries of the changelog to that version and today (https://keepachangelog.com).
const file = join(root, 'CHANGELOG.md')
const version = process.env.npm_package_version
const today = new Date().toISOString().slice(0, 10)
const text = readFileSync(file, 'utf8')
if (!/^## \[Unreleased\]\n\n[^#]*^(###|-)/m.test(text)) {
  throw new Error('CHANGELOG.md has nothing under [Unreleased].')
}
writeFileSync(
  file,
  text.replace('## [Unreleased]\n', `## [Unreleased]\n\n## [${version}] - ${today}\n`),
)
