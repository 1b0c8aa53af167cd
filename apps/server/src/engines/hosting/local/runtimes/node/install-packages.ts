import { randomUUID } from 'node:crypto'
import { chmod, chown, cp, lchown, lstat, mkdir, readdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { finished } from 'node:stream/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { removeTree } from '../../../../../remove-tree.ts'
import type { ReleaseProblem } from '../../../engine.ts'
import { measureFolder } from '../../files/folder-size.ts'
import { measureUnlinkedFiles } from '../../files/unlinked-files.ts'
import { walkFolder } from '../../files/walk-folder.ts'
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
 * Builds an app from a copy of its files and the packages of an earlier build with the same lock
 * file. False when the packages cannot be linked, for example because that build was deleted.
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
    await makeReadOnly(app)
    if (!(await linkPackages(earlier, app))) return false
    await rename(app, target)
    return true
  } finally {
    await removeTree(work)
  }
}

const unfinished = (target: string) => `${target}.${randomUUID().slice(0, 8)}.unfinished`

/** Removes the unfinished installations of a killed server for this target. */
async function removeUnfinished(target: string) {
  const folder = dirname(target)
  for (const name of await readdir(folder))
    if (name.startsWith(`${basename(target)}.`)) await removeTree(join(folder, name))
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
    const output = readOutput(npm)
    const { stopped, isOutOfMemory } = await watch(npm, work, limits, signal).finally(npm.cleanUp)
    // All processes of npm have ended before the result is read.
    await output.ended
    signal.throwIfAborted()
    // What was written since the last check counts, too.
    const isLarge = await exceedsSize(work, [], limits)
    const problem = stopped ?? (isLarge ? tooLarge : exitProblem(npm.child.exitCode, isOutOfMemory))
    if (!problem) {
      await makeReadOnly(app)
      await rename(app, target)
    }
    return { problem, output: output.text().trimEnd() }
  } finally {
    await removeTree(work)
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

/** The last characters of what a program prints. `ended` resolves when all its processes have. */
function readOutput({ child }: SandboxedProcess) {
  let text = ''
  // Without file descriptors the program has not started, and has no streams.
  const streams = [child.stdout ?? [], child.stderr ?? []].flat()
  for (const stream of streams)
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      text = `${text}${chunk}`.slice(-maxOutputLength)
    })
  return { text: () => text, ended: Promise.all(streams.map((stream) => finished(stream))) }
}

/** Waits until npm exits. Kills it at a limit, which `stopped` then names, or when aborted. */
async function watch(
  { exited, kill, processes, memoryKills }: SandboxedProcess,
  folder: string,
  limits: InstallLimits,
  signal: AbortSignal,
): Promise<{ stopped: ReleaseProblem | null; isOutOfMemory: boolean }> {
  const startedAt = performance.now()
  const exceededLimit = async (): Promise<ReleaseProblem | null> => {
    if (performance.now() - startedAt > limits.timeoutMs) return { failure: 'install_timed_out' }
    return (await exceedsSize(folder, await processes(), limits)) ? tooLarge : null
  }
  const hasExited = () =>
    Promise.race([exited.then(() => true), delay(checkIntervalMs, false, { ref: false })])

  let stopped: ReleaseProblem | null = null
  while (!stopped && !signal.aborted && !(await hasExited())) stopped = await exceededLimit()
  // Repeated: a program that was just started joins its group later, and others start meanwhile.
  if (stopped || signal.aborted)
    do await kill()
    while (!(await hasExited()))
  return { stopped, isOutOfMemory: (await memoryKills()) > 0 }
}

async function giveTo(folder: string, { uid, gid }: Account) {
  for await (const path of walkFolder(folder)) await lchown(path, uid, gid)
  await chown(folder, uid, gid)
}

/**
 * Makes a folder read-only once its user's processes have ended: every site that runs it can read
 * it, and none can change it. Folders stay writable for their owner: a server that is not root
 * could otherwise neither rename nor delete them. Links stay as they are; inside a sandbox they
 * lead nowhere else.
 */
async function makeReadOnly(folder: string) {
  await makeEntryReadOnly(folder)
  for await (const path of walkFolder(folder)) await makeEntryReadOnly(path)
}

async function makeEntryReadOnly(path: string | Buffer) {
  const stats = await lstat(path)
  if (process.getuid?.() === 0) await lchown(path, 0, 0)
  if (stats.isSymbolicLink()) return
  // Executables stay executable; setuid bits and devices are removed.
  if (stats.isDirectory()) await chmod(path, 0o755)
  else if (stats.isFile()) await chmod(path, (stats.mode & 0o100) !== 0 ? 0o555 : 0o444)
  else await rm(path)
}
