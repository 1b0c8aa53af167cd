import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from './command.mjs'

const generated = /(^|\/)(node_modules|dist|paraglide|\.cache)(\/|$)|\.spec\.tsx?$/

/**
 * Remembers what something was made from, by a hash of the contents of its sources (paths from the
 * root, files or folders) and of `extra`. Write the stamp last: what was killed before is stale.
 * @param {string} name
 * @param {string[]} sources
 * @param {string} [extra]
 */
export function stampOf(name, sources, extra = '') {
  const file = join(root, 'node_modules/.cache/slipway', `${name}.sha256`)
  const hash = createHash('sha256').update(extra)
  for (const path of sources.flatMap(filesBelow)) {
    hash.update(`\n${path}\n`).update(readFileSync(join(root, path)))
  }
  const current = hash.digest('hex')
  return {
    isCurrent: () => existsSync(file) && readFileSync(file, 'utf8') === current,
    write() {
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, current)
    },
  }
}

/**
 * @param {string} path
 * @returns {string[]}
 */
function filesBelow(path) {
  const stat = statSync(join(root, path), { throwIfNoEntry: false })
  if (!stat) return []
  if (!stat.isDirectory()) return [path]
  return readdirSync(join(root, path))
    .sort()
    .map((name) => `${path}/${name}`)
    .filter((child) => !generated.test(child))
    .flatMap(filesBelow)
}
