import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { root } from './command.mjs'

const folder = mkdtempSync(join(tmpdir(), 'slipway-imports-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Imports that break a rule: the rule, the file, and the file that it imports. */
const violations = [
  ['console-never-imports-server', 'apps/console/src/page.tsx', 'apps/server/src/app.ts'],
  [
    'modules-meet-at-services',
    'apps/server/src/modules/teams/teams.service.ts',
    'apps/server/src/modules/support/support.store.ts',
  ],
  [
    'routes-only-call-services',
    'apps/server/src/modules/teams/teams.routes.ts',
    'apps/server/src/modules/teams/teams.store.ts',
  ],
  ['no-circular', 'packages/contract/src/one.ts', 'packages/contract/src/two.ts'],
  ['no-tests-in-production', 'apps/server/src/app.ts', 'apps/server/src/testing/world.ts'],
]
const restOfCycle = ['packages/contract/src/two.ts', 'packages/contract/src/one.ts']
// Two folders import each other, but no two files do.
const cycleOfFolders = [
  ['apps/server/src/http/server.ts', 'apps/server/src/db/connect.ts'],
  ['apps/server/src/db/listen.ts', 'apps/server/src/http/headers.ts'],
]

const imports = [
  ...violations.map(([, from = '', to = '']) => [from, to]),
  restOfCycle,
  ...cycleOfFolders,
]
const importers = imports.map(([from]) => from)
for (const [from = '', to = ''] of imports) {
  write(from, `import { value } from '${join(folder, to)}'\nexport const copy: number = value\n`)
  if (!importers.includes(to)) write(to, 'export const value: number = 1\n')
}

/**
 * @param {string} path
 * @param {string} content
 */
function write(path, content) {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), content)
}

/**
 * The violations that dependency-cruiser finds, as `rule: from`.
 * @param {string} config
 */
function violationsOf(config) {
  const { stdout } = spawnSync(
    join(root, 'node_modules/.bin/depcruise'),
    ['apps', 'packages', '--config', join(root, config), '--output-type', 'json'],
    { cwd: folder, encoding: 'utf8', shell: process.platform === 'win32' },
  )
  /** @type {{ rule: { name: string }, from: string }[]} */
  const found = JSON.parse(stdout).summary.violations
  return found.map(({ rule, from }) => `${rule.name}: ${from}`)
}

describe('the rules of imports', () => {
  const found = violationsOf('.dependency-cruiser.mjs')

  it.each(violations)('reject a violation of %s: %s imports %s', (rule, from) => {
    expect(found).toContain(`${rule}: ${from}`)
  })

  it('accept an import in the allowed direction', () => {
    expect(found.filter((violation) => violation.includes('src/http/server.ts'))).toEqual([])
  })

  it('reject a cycle of folders without a cycle of files', () => {
    const folders = ['http', 'db'].map((name) => `no-folder-cycles: apps/server/src/${name}`)
    expect(violationsOf('.dependency-cruiser.folders.mjs')).toEqual(expect.arrayContaining(folders))
    expect(found.filter((violation) => /circular.*src\/(http|db)\//.test(violation))).toEqual([])
  })
})
