import { createHash, randomUUID } from 'node:crypto'
import { readdir, readlink, rename, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { nullIfMissing } from '../../../../file-errors.ts'
import type { Log } from '../../../../log.ts'
import type { SiteFiles } from '../files/layout.ts'
import type { Account } from '../machine/accounts.ts'
import type { Program, StartedProgram } from '../runtimes/runtime.ts'
import type { Cgroups } from '../sandbox/cgroup.ts'
import type { Sandbox, SandboxedCommand } from '../sandbox/sandbox.ts'
import { type ListeningSocket, listenAt } from './listening-socket.ts'
import { readProcessRecord } from './process-record.ts'
import { openSiteLog } from './site-log.ts'
import { type SiteProcess, startSiteProcess } from './site-process.ts'

/** The launch id of a program: it changes with everything that needs a new process. */
export const launchIdOf = (program: StartedProgram): string => {
  const digest = createHash('sha256').update(JSON.stringify(program)).digest('hex')
  return `${program.release}-${digest.slice(0, 16)}`
}

export const releaseOf = (launchId: string): string => launchId.split('-', 1)[0] ?? ''

export const socketOf = (files: SiteFiles, { record }: Pick<SiteProcess, 'record'>): string =>
  record.socket === null ? files.socket : join(files.socketFolder, record.socket)

/** Leads the gateway to the socket of this process, atomically. */
export const publishSocket = async (files: SiteFiles, process: SiteProcess): Promise<void> => {
  const { socket } = process.record
  if (socket === null) return
  if ((await readlink(files.socket).catch(() => null)) === socket) return
  const temporary = join(files.socketFolder, `${socket}.link`)
  await rm(temporary, { force: true })
  await symlink(socket, temporary)
  await rename(temporary, files.socket)
}

export type LaunchTarget = {
  key: string
  files: SiteFiles
  account: Account | null
  /** The group that may connect to the site; null for the server's user alone. */
  serviceGroup: number | null
  recordPath: string
  logPath: string
}

const groupNameOf = (key: string, socketName: string) => `${key}.${socketName}`

/**
 * Removes the sockets and control groups of a site that belong to no serving process. A server that
 * was killed may have left them, before it recorded a process or removed its group.
 */
export const removeStaleGroups = async (
  key: string,
  { socketFolder, process }: SiteFiles,
  cgroups: Cgroups | null,
  log: Log,
): Promise<void> => {
  const serving = (await readProcessRecord(process))?.socket
  const names = (await nullIfMissing(readdir(socketFolder))) ?? []
  for (const name of names.filter((each) => /^[0-9a-f]{8}$/.test(each) && each !== serving)) {
    await cgroups?.open(groupNameOf(key, name)).removeEventually(log)
    await rm(join(socketFolder, name), { force: true })
  }
}

/** Starts a program with its own socket. A program with `sandboxSettings` needs `sandbox`. */
export const startProgram = async (
  program: StartedProgram,
  { key, files, account, serviceGroup, recordPath, logPath }: LaunchTarget,
  sandbox: Sandbox | null,
  log: Log,
): Promise<SiteProcess> => {
  // Short: the path of a socket has a limit. Random: no two processes of a site share one.
  const socketName = randomUUID().slice(0, 8)
  const socketPath = join(files.socketFolder, socketName)
  const output = await openSiteLog(logPath)
  let socket: ListeningSocket | undefined
  let wrapped: SandboxedCommand | null = null
  try {
    // Before the control group: if this server is killed, the next one finds the group by it.
    socket = await listenAt(socketPath, serviceGroup)
    if (program.sandboxSettings)
      wrapped = await wrap(program, groupNameOf(key, socketName), account, sandbox)
    const process = await startSiteProcess({
      command: wrapped?.command ?? program.command,
      env: wrapped?.env ?? program.env,
      cwd: wrapped?.cwd ?? program.cwd,
      account: wrapped ? wrapped.account : account,
      fileBytes: program.fileBytes,
      logFd: output.fd,
      socket,
      sandboxFds: wrapped?.descriptors.map(({ fd }) => fd) ?? [],
      recordPath,
      record: { version: program.version, launch: launchIdOf(program), socket: socketName },
      group: wrapped?.group ?? null,
      log,
    })
    process.exited.then(() => rm(socketPath, { force: true })).catch(() => undefined)
    return process
  } catch (error) {
    socket?.close()
    await wrapped?.group?.removeEventually(log)
    await rm(socketPath, { force: true })
    throw error
  } finally {
    for (const descriptor of wrapped?.descriptors ?? []) await descriptor.close()
    await output.close()
  }
}

const wrap = (
  { command, env, cwd, sandboxSettings }: Program,
  name: string,
  account: Account | null,
  sandbox: Sandbox | null,
) => {
  if (!sandbox || !sandboxSettings) throw new Error('This machine has no sandbox')
  return sandbox.wrap({ name, command, env, cwd, ...sandboxSettings, account })
}
