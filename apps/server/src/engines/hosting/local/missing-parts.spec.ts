import { describe, expect, it } from 'vitest'
import { createDataFolder } from '../../../testing/data-folder.ts'
import type { MissingPart } from '../engine.ts'
import { createLayout } from './files/layout.ts'
import { createNodeRuntime } from './runtimes/node/node.runtime.ts'
import type { PhpPrograms } from './runtimes/php/find-php.ts'
import { createPhpRuntime } from './runtimes/php/php.runtime.ts'
import type { LocalRuntime, Machine } from './runtimes/runtime.ts'
import { createWordPressRuntime } from './runtimes/wordpress/wordpress.runtime.ts'
import type { Cgroups } from './sandbox/cgroup.ts'
import { createNoSandbox } from './sandbox/no-sandbox.ts'
import { type Sandbox, setUpSandbox } from './sandbox/sandbox.ts'

/** Node's own program stands in for bubblewrap: both know `--version`. */
const completeMachine = {
  platform: 'linux',
  arch: 'x64',
  isRoot: true,
  bubblewrap: process.execPath,
  runsTrial: async () => true,
} as const

const groups = { removeAll: async () => undefined } as unknown as Cgroups

/** This program stands in for php-fpm. */
const completePrograms: PhpPrograms = {
  fpm: { path: '/bin/echo', version: '8.2.0' },
  hasSocat: true,
  extensions: new Set(['pdo_sqlite']),
}

const sandbox = { isolates: true } as Sandbox

/** The reason of a runtime on a made-up machine. */
async function reasonOf(runtime: LocalRuntime, sandbox: Machine['sandbox']) {
  const layout = createLayout(await createDataFolder())
  const node = process.execPath
  const accounts = { separate: false, serviceGroup: null } as Machine['accounts']
  await runtime.prepare?.({ layout, accounts, node, certificates: null, sandbox })
  return (await runtime.detect()).reason
}

/** The reasons of the runtimes that run programs of customers. */
async function reasonsOf(
  sandbox: Machine['sandbox'],
  { npm = '/npm' as string | null, ...programs }: { npm?: string | null } & Partial<PhpPrograms>,
) {
  const findPrograms = async () => ({ ...completePrograms, ...programs })
  return {
    node: await reasonOf(createNodeRuntime({ lookUpNpm: async () => npm }), sandbox),
    php: await reasonOf(createPhpRuntime({}, findPrograms), sandbox),
    wordpress: await reasonOf(createWordPressRuntime(findPrograms), sandbox),
  }
}

describe('a machine without a part of the sandbox', () => {
  it.each<[MissingPart, Parameters<typeof setUpSandbox>[2], groups?: null]>([
    ['not_linux', { platform: 'darwin' }],
    ['not_root', { isRoot: false }],
    ['no_bubblewrap', { bubblewrap: '/nowhere/bwrap' }],
    ['no_seccomp', { arch: 'riscv64' }],
    ['no_cgroups', {}, null],
    ['no_namespaces', { runsTrial: async () => false }],
  ])(
    'offers no Node app, no PHP and no WordPress, and says why: %s',
    async (part, lacking, none) => {
      const folder = await createDataFolder()
      const found = await setUpSandbox(none === null ? null : groups, folder, {
        ...completeMachine,
        ...lacking,
      })
      expect(found).toBe(part)
      expect(await reasonsOf(part, {})).toEqual({ node: part, php: part, wordpress: part })
    },
  )

  it('lacks that part alone: with all parts, the sandbox isolates', async () => {
    const folder = await createDataFolder()
    expect(await setUpSandbox(groups, folder, completeMachine)).toMatchObject({ isolates: true })
  })
})

describe('a machine without a program that a runtime needs', () => {
  it.each<[string, Parameters<typeof reasonsOf>[1], Record<string, MissingPart | null>]>([
    ['nothing', {}, { node: null, php: null, wordpress: null }],
    ['npm', { npm: null }, { node: 'no_npm', php: null, wordpress: null }],
    ['php-fpm', { fpm: null }, { node: null, php: 'no_php', wordpress: 'no_php' }],
    ['socat', { hasSocat: false }, { node: null, php: 'no_socat', wordpress: 'no_socat' }],
    [
      'SQLite for PHP',
      { extensions: new Set() },
      { node: null, php: null, wordpress: 'no_php_sqlite' },
    ],
  ])('says so for the runtimes that need it: %s', async (_part, lacking, reasons) => {
    expect(await reasonsOf(sandbox, lacking)).toEqual(reasons)
  })

  it('a machine with SANDBOX=off runs Node apps only', async () => {
    const off = createNoSandbox(await createDataFolder())
    expect(await reasonsOf(off, {})).toEqual({
      node: null,
      php: 'sandbox_off',
      wordpress: 'sandbox_off',
    })
  })
})
