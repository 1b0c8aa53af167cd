import { randomUUID } from 'node:crypto'
import { chmod, chown, cp, lchown, lstat, mkdir, readdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { ReleaseProblem } from '../../../engine.ts'
import { measureFolder } from '../../files/folder-size.ts'
import { measureUnlinkedFiles } from '../../files/unlinked-files.ts'
import type { Account } from '../../machine/accounts.ts'
import { groupOfServer, type Sandbox, type SandboxedProcess } from '../../sandbox/sandbox.ts'
import { inside } from './node-program.ts'
import { npmSettings } from './npm-settings.ts'
import { linkPackages } from './package-record.ts'

export type InstallLimits = {
  memoryBytes: number
  cpus: number
  processes: number
  folderBytes: number
  folderEntries: number
  timeoutMs: number
}

export const defaultInstallLimits: InstallLimits = {
  memoryBytes: 1024 * 2 ** 20,
  cpus: 2,
  processes: 512,
  folderBytes: 1_000_000_000,
  folderEntries: 200_000,
  timeoutMs: 300_000,
}

export type Install = {
  key: string
  /** The unpacked files of the release. */
  source: string
  /** The folder of the app with its packages. It appears by a rename, so it is complete. */
  target: string
  /** Null for the server's own user. */
  account: Account | null
  readable: Readonly<Record<string, string>>
  env: Readonly<Record<string, string>>
  limits: InstallLimits
  signal: AbortSignal
}

const checkIntervalMs = 1_000
const maxOutputLength = 16_000

/**
 * Builds an app from a copy of its files and the packages of an earlier build, which are the same.
 * False when the earlier build was deleted.
 */
export async function reusePackages(
  source: string,
  target: string,
  earlier: string,
): Promise<boolean> {
  const work = unfinished(target)
  const app = join(work, 'app')
  try {
    await mkdir(work, { recursive: true })
    await cp(source, app, { recursive: true, verbatimSymlinks: true })
    await giveToRoot(app)
    if (!(await linkPackages(earlier, app))) return false
    await rename(app, target)
    return true
  } finally {
    await rm(work, { recursive: true, force: true })
  }
}

const unfinished = (target: string) => `${target}.${randomUUID().slice(0, 8)}.unfinished`

/** Removes the unfinished installations of a killed server for this target. */
async function removeUnfinished(target: string) {
  const folder = dirname(target)
  for (const name of await readdir(folder))
    if (name.startsWith(`${basename(target)}.`)) await rm(join(folder, name), { recursive: true })
}

/**
 * Runs `npm ci` on a copy of the files, in a sandbox: install scripts are programs of customers.
 * Resolves with its output, and the problem if it failed.
 */
export async function installPackages(
  sandbox: Sandbox,
  { key, source, target, account, readable, env, limits, signal }: Install,
): Promise<{ problem: ReleaseProblem | null; output: string }> {
  await removeUnfinished(target)
  const work = unfinished(target)
  const [app, scratch] = [join(work, 'app'), join(work, 'scratch')]
  try {
    await mkdir(scratch, { recursive: true })
    // An artifact has no link that leads out of its folder.
    await cp(source, app, { recursive: true, verbatimSymlinks: true })
    for (const folder of [app, scratch]) if (account) await giveTo(folder, account)
    const npm = await sandbox.start({
      name: groupOfServer(`${key}.install-${randomUUID().slice(0, 8)}`),
      command: [inside.node, inside.npmCli, 'ci', '--omit=dev'],
      env: {
        ...env,
        ...npmSettings,
        HOME: '/build',
        TMPDIR: '/build',
        npm_config_cache: '/build/cache',
      },
      cwd: inside.app,
      readable,
      writable: { [inside.app]: app, '/build': scratch },
      account,
      limits,
      fileBytes: limits.folderBytes,
    })
    let output = ''
    for (const stream of [npm.child.stdout, npm.child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => {
        output = `${output}${text}`.slice(-maxOutputLength)
      })
    const stopped = await watch(npm, work, limits, signal)
    const isOutOfMemory = (await npm.memoryKills()) > 0
    // All processes of npm have ended before the result is read.
    await npm.cleanUp()
    signal.throwIfAborted()
    // What was written since the last check counts, too.
    const isLarge = await exceedsSize(work, [], limits)
    const problem = stopped ?? (isLarge ? tooLarge : exitProblem(npm.child.exitCode, isOutOfMemory))
    if (problem) return { problem, output: output.trimEnd() }
    await giveToRoot(app)
    await rename(app, target)
    return { problem: null, output: output.trimEnd() }
  } finally {
    await rm(work, { recursive: true, force: true })
  }
}

const exitProblem = (code: number | null, isOutOfMemory: boolean): ReleaseProblem | null => {
  if (code === 0) return null
  return isOutOfMemory
    ? { failure: 'install_out_of_memory' }
    : { failure: 'install_failed', detail: String(code ?? '') }
}

const tooLarge: ReleaseProblem = { failure: 'install_too_large' }

/** True when a folder, with what these processes have deleted and keep open, is too large. */
async function exceedsSize(
  folder: string,
  processes: readonly number[],
  limits: InstallLimits,
): Promise<boolean> {
  const stored = await measureFolder(folder, limits.folderEntries)
  const unlinked = await measureUnlinkedFiles(folder, processes)
  return (
    stored.bytes + unlinked.bytes > limits.folderBytes ||
    stored.entries + unlinked.entries > limits.folderEntries
  )
}

/** Waits until npm exits; kills it at a limit and resolves with the reason. */
async function watch(
  { child, kill, processes }: SandboxedProcess,
  folder: string,
  limits: InstallLimits,
  signal: AbortSignal,
): Promise<ReleaseProblem | null> {
  const startedAt = performance.now()
  const exited = new Promise<void>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', () => resolve())
  })
  let problem: ReleaseProblem | null = null
  let hasEnded = false
  const check = async () => {
    while (!hasEnded) {
      await Promise.race([exited, new Promise((resolve) => setTimeout(resolve, checkIntervalMs))])
      if (hasEnded) return
      const isLarge = await exceedsSize(folder, await processes(), limits)
      const isLate = performance.now() - startedAt > limits.timeoutMs
      if (isLarge) problem = tooLarge
      if (isLate) problem = { failure: 'install_timed_out' }
      if (isLarge || isLate || signal.aborted) return kill()
    }
  }
  const checking = check()
  await exited.finally(() => {
    hasEnded = true
  })
  await checking
  return problem
}

/** Everything below a folder. Links are not followed: a customer's link may lead anywhere. */
async function pathsIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries.map((entry) => join(entry.parentPath, entry.name))
}

async function giveTo(folder: string, { uid, gid }: Account) {
  for (const path of await pathsIn(folder)) await lchown(path, uid, gid)
  await chown(folder, uid, gid)
}

/**
 * Gives a folder to root once its user's processes have ended: every site that runs it can read it,
 * and none can change it. Links stay as they are; inside a sandbox they lead nowhere else.
 */
async function giveToRoot(folder: string) {
  for (const path of [folder, ...(await pathsIn(folder))]) {
    const stats = await lstat(path)
    if (process.getuid?.() === 0) await lchown(path, 0, 0)
    if (stats.isSymbolicLink()) continue
    // Executables stay executable; setuid bits and devices are removed.
    if (stats.isDirectory() || (stats.isFile() && (stats.mode & 0o100) !== 0))
      await chmod(path, 0o555)
    else if (stats.isFile()) await chmod(path, 0o444)
    else await rm(path)
  }
}
