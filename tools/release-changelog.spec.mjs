import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { root } from './command.mjs'

/**
 * A folder with the tool and a changelog.
 * @param {string} changelog
 */
function createFolder(changelog) {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-release-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  mkdirSync(join(folder, 'tools'))
  for (const file of ['release-changelog.mjs', 'command.mjs'])
    cpSync(join(root, 'tools', file), join(folder, 'tools', file))
  writeFileSync(join(folder, 'CHANGELOG.md'), changelog)
  return {
    read: () => readFileSync(join(folder, 'CHANGELOG.md'), 'utf8'),
    tool: join(folder, 'tools/release-changelog.mjs'),
  }
}

const env = { ...process.env, npm_package_version: '1.2.0' }
const older = '## [1.1.0] - 2026-01-31\n\n### Added\n\n- An older entry.\n'

describe('npm run release', () => {
  it("moves the unreleased entries to a section with the version and today's date", () => {
    const entries = '### Added\n\n**Account**\n\n- A new entry.\n'
    const { read, tool } = createFolder(`# Changelog\n\n## [Unreleased]\n\n${entries}\n${older}`)
    const days = [today()]
    execFileSync(process.execPath, [tool], { env })
    days.push(today())
    expect(
      days.map(
        (day) => `# Changelog\n\n## [Unreleased]\n\n## [1.2.0] - ${day}\n\n${entries}\n${older}`,
      ),
    ).toContain(read())
  })

  it('fails without an unreleased entry and leaves the changelog as it is', () => {
    const changelog = `# Changelog\n\n## [Unreleased]\n\n${older}`
    const { read, tool } = createFolder(changelog)
    const { status, stderr } = spawnSync(process.execPath, [tool], { env, encoding: 'utf8' })
    expect(status).not.toBe(0)
    expect(stderr).toContain('CHANGELOG.md has nothing under [Unreleased].')
    expect(read()).toBe(changelog)
  })
})

const today = () => new Date().toISOString().slice(0, 10)
