import { rm } from 'node:fs/promises'
import { createNoSandbox } from '../../sandbox/no-sandbox.ts'
import { defaultInstallLimits, installPackages, reusePackages } from './install-packages.ts'
import { inside } from './node-program.ts'
import { findNpm } from './npm.ts'

/**
 * Installs a release, builds the next with its packages, and deletes both, as a server that is not
 * root does. Prints what failed.
 */
const [source = '', folder = ''] = process.argv.slice(2)
const nobody = 65_534
if (process.getuid?.() === 0) {
  process.setgid?.(nobody)
  process.setuid?.(nobody)
}
const [first, second] = [`${folder}/first`, `${folder}/second`]
const { problem, output } = await installPackages(createNoSandbox(`${folder}/programs`), {
  key: 'app',
  source,
  target: first,
  account: null,
  readable: { [inside.node]: process.execPath, [inside.npm]: (await findNpm()) ?? '' },
  env: { PATH: process.env.PATH ?? '' },
  limits: defaultInstallLimits,
  signal: AbortSignal.timeout(defaultInstallLimits.timeoutMs),
})
if (problem) process.stdout.write(JSON.stringify({ problem, output }))
if (!(await reusePackages(source, second, first)))
  process.stdout.write('the packages are not reused')
for (const target of [first, second]) await rm(target, { recursive: true })
