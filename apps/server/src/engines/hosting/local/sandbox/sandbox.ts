import { type ChildProcess, execFile, type StdioOptions, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, type FileHandle, mkdir, open, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { MissingPart } from '../../engine.ts'
import type { Account } from '../machine/accounts.ts'
import type { Cgroup, Cgroups, ResourceLimits } from './cgroup.ts'
import { seccompFilter } from './seccomp.ts'

/** A customer's program, and the files that it may use. */
export type SandboxedProgram = {
  /** Names the control group; unique on the machine. */
  name: string
  command: readonly string[]
  /** Its whole environment. */
  env: Readonly<Record<string, string>>
  /** Its working folder, by its path in the sandbox. */
  cwd: string
  /** Folders and files that it may read, by their path in the sandbox. */
  readable: Readonly<Record<string, string>>
  /** Folders that it may write, by their path in the sandbox. */
  writable: Readonly<Record<string, string>>
  /** The system user that it runs as. Null with `SANDBOX=off`: the server's own user. */
  account: Account | null
  limits: ResourceLimits
  /** The maximum size of a file that it may write, in bytes. Not limited by default. */
  fileBytes?: number
}

/** How to start a program in its sandbox. */
export type SandboxedCommand = {
  command: readonly string[]
  env: Readonly<Record<string, string>>
  cwd: string
  /** The user to start it as. Null: the server's user; the sandbox command then drops root. */
  account: Account | null
  /** Null without a sandbox. */
  group: Cgroup | null
  /**
   * Descriptors 4 and 5 of the process; descriptor 3 is the program's own. The caller closes them.
   * Empty without a sandbox.
   */
  descriptors: readonly FileHandle[]
}

export type SandboxedProcess = {
  child: ChildProcess
  /** Resolves when the program has ended; rejects when it could not be started. */
  exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>
  /** Call it after the exit: removes the control group. */
  cleanUp(): Promise<void>
  /** Kills all its processes: bubblewrap alone would leave its program running. */
  kill(): Promise<void>
  /** The ids of its processes; none without a sandbox. */
  processes(): Promise<number[]>
  memoryKills(): Promise<number>
}

export type Sandbox = {
  /** False for `SANDBOX=off`, which isolates nothing. */
  isolates: boolean
  /** Creates the program's control group; the program outlives this process. */
  wrap(program: SandboxedProgram): Promise<SandboxedCommand>
  /** Starts a program whose output the caller reads. */
  start(program: SandboxedProgram): Promise<SandboxedProcess>
}

const filterName = 'seccomp.bpf'
const tmpBytes = 64 * 2 ** 20

/** The system's programs and libraries; old locations lead into /usr (merged /usr). */
const systemBinds = ['--ro-bind', '/usr', '/usr'].concat(
  ['bin', 'sbin', 'lib', 'lib32', 'lib64'].flatMap((name) =>
    existsSync(`/${name}`) ? ['--symlink', `usr/${name}`, `/${name}`] : [],
  ),
  existsSync('/etc/ssl') ? ['--ro-bind', '/etc/ssl', '/etc/ssl'] : [],
  existsSync('/etc/alternatives') ? ['--ro-bind', '/etc/alternatives', '/etc/alternatives'] : [],
)

/** The user that a program sees as its own. */
const userInside = 1000

/** Programs look up their user and the address of `localhost`. */
const etc = {
  passwd: `site:x:${userInside}:${userInside}::/data:/bin/sh\n`,
  group: `site:x:${userInside}:\n`,
  hosts: '127.0.0.1 localhost\n::1 localhost\n',
  'nsswitch.conf': 'passwd: files\ngroup: files\nhosts: files\n',
}

/**
 * The command line of bubblewrap. Every namespace is new; the network has only loopback. There are
 * no capabilities, and no files of the machine but the listed ones. Every user of the machine can
 * read a command line, so the environment is not in it.
 */
function bubblewrapArguments(program: SandboxedProgram, folder: string): string[] {
  const binds = (option: string, paths: Readonly<Record<string, string>>) =>
    Object.entries(paths).flatMap(([inside, outside]) => [option, outside, inside])
  return [
    '--unshare-all',
    '--new-session',
    '--cap-drop',
    'ALL',
    ...['--hostname', 'site', '--uid', String(userInside), '--gid', String(userInside)],
    ...systemBinds,
    ...['--proc', '/proc', '--dev', '/dev'],
    ...Object.keys(etc).flatMap((name) => ['--ro-bind', join(folder, name), `/etc/${name}`]),
    ...['--size', String(tmpBytes), '--tmpfs', '/tmp'],
    ...binds('--ro-bind', program.readable),
    ...binds('--bind', program.writable),
    ...['--remount-ro', '/'],
    '--clearenv',
    ...['--args', String(environmentFd)],
    ...['--chdir', program.cwd],
    ...['--seccomp', String(seccompFd)],
    '--',
    ...program.command,
  ]
}

/** The arguments of bubblewrap that set the environment, read up to the end of the file. */
function environmentArguments({ env }: SandboxedProgram): string {
  const words = Object.entries(env).flatMap(([name, value]) => ['--setenv', name, value])
  // NUL ends an argument: what follows would be an option of bubblewrap.
  if (words.some((word) => word.includes('\0'))) throw new Error('a variable contains NUL')
  return words.map((word) => `${word}\0`).join('')
}

/** A file without a name, which is deleted with its last descriptor. */
async function openUnnamed(folder: string, content: string): Promise<FileHandle> {
  const path = join(folder, randomUUID())
  const file = await open(path, 'wx+', 0o600)
  try {
    await rm(path)
    // At a position: the descriptor stays at the start of the file, where its reader begins.
    const { bytesWritten } = await file.write(content, 0)
    if (bytesWritten < Buffer.byteLength(content)) throw new Error('the disk is full')
    return file
  } catch (error) {
    await file.close()
    throw error
  }
}

const close = (files: readonly FileHandle[]) => Promise.all(files.map((file) => file.close()))

/**
 * Writing 0 to a join file moves this shell into the group. Then drops root and runs the command.
 * Without FILE_BLOCKS the limit of the caller stays.
 */
const joinAndRun = `for file in $JOIN_FILES; do echo 0 > "$file" || exit 70; done
[ -z "$FILE_BLOCKS" ] || ulimit -f "$FILE_BLOCKS" || exit 70
exec setpriv --reuid "$SITE_UID" --regid "$SITE_GID" --clear-groups --no-new-privs -- "$@"`

/** Bubblewrap reads these descriptors, and closes them before the program starts. */
const [seccompFd, environmentFd] = [4, 5]

/** POSIX counts `ulimit -f` in blocks of this size. */
const blockBytes = 512

async function wrapProgram(program: SandboxedProgram, groups: Cgroups, folder: string) {
  if (!program.account) throw new Error('a sandboxed program needs a system user')
  const environment = await openUnnamed(folder, environmentArguments(program))
  const filter = await open(join(folder, filterName))
  const descriptors = [filter, environment]
  const group = await groups.create(program.name, program.limits).catch(async (error) => {
    await close(descriptors)
    throw error
  })
  return {
    command: [
      '/bin/sh',
      '-c',
      joinAndRun,
      'sandbox',
      'bwrap',
      ...bubblewrapArguments(program, folder),
    ],
    env: {
      PATH: '/usr/sbin:/usr/bin:/sbin:/bin',
      JOIN_FILES: group.joinFiles.join(' '),
      SITE_UID: String(program.account.uid),
      SITE_GID: String(program.account.gid),
      ...(program.fileBytes && { FILE_BLOCKS: String(Math.ceil(program.fileBytes / blockBytes)) }),
    },
    // The command drops root itself.
    account: null,
    cwd: '/',
    group,
    descriptors,
  } satisfies SandboxedCommand
}

async function startProgram({
  command,
  env,
  group,
  descriptors,
}: Awaited<ReturnType<typeof wrapProgram>>) {
  const [shell = '', ...args] = command
  try {
    const fds = descriptors.map(({ fd }) => fd)
    const stdio = ['ignore', 'pipe', 'pipe', 'ignore', ...fds] satisfies StdioOptions
    const child = spawn(shell, args, { cwd: '/', env: { ...env }, stdio })
    // Listen before the descriptors are closed: a short program may exit meanwhile. The no-op catch
    // prevents an unhandled rejection; callers still get it from `exited`.
    const exited = once(child, 'exit').then(([code, signal]) => ({ code, signal }))
    exited.catch(() => undefined)
    return {
      child,
      exited,
      cleanUp: group.remove,
      kill: group.kill,
      processes: group.processes,
      memoryKills: group.memoryKills,
    }
  } finally {
    await close(descriptors)
  }
}

/** What the sandbox needs of a machine besides control groups. Tests make machines up. */
const thisMachine = {
  platform: process.platform,
  arch: process.arch,
  isRoot: process.getuid?.() === 0,
  bubblewrap: 'bwrap',
  runsTrial,
}

/**
 * Sets up the sandbox and tests it with one program. Returns the part that the machine lacks if
 * that fails. Writes the files that every sandbox reads into `folder`.
 */
export async function setUpSandbox(
  groups: Cgroups | null,
  folder: string,
  machine: Partial<typeof thisMachine> = {},
): Promise<Sandbox | MissingPart> {
  const { platform, arch, isRoot, bubblewrap, runsTrial } = { ...thisMachine, ...machine }
  if (platform !== 'linux') return 'not_linux'
  // Each site needs its own system user.
  if (!isRoot) return 'not_root'
  const version = await promisify(execFile)(bubblewrap, ['--version']).catch(() => null)
  if (!version) return 'no_bubblewrap'
  const filter = seccompFilter(arch)
  if (!filter) return 'no_seccomp'
  if (!groups) return 'no_cgroups'

  await groups.removeAll(isOfKilledServer)
  await mkdir(folder, { recursive: true })
  await chmod(folder, 0o711)
  // The site's user reads them: bubblewrap runs as it.
  for (const [name, content] of Object.entries({ ...etc, [filterName]: filter }))
    await writeFile(join(folder, name), content, { mode: 0o644 })
  const wrap = (program: SandboxedProgram) => wrapProgram(program, groups, folder)
  const sandbox: Sandbox = {
    isolates: true,
    wrap,
    start: async (program) => startProgram(await wrap(program)),
  }
  return (await runsTrial(sandbox)) ? sandbox : 'no_namespaces'
}

/** The user and group `nobody`, which own no file. */
const nobody = { uid: 65_534, gid: 65_534 }

/** The name of a group for a program that must not outlive this server. */
export const groupOfServer = (name: string) => `${name}-of-${process.pid}`

/** True for the name of a group whose server was killed. */
const isOfKilledServer = (name: string) => {
  const [, pid] = /-of-(\d+)$/.exec(name) ?? []
  return pid !== undefined && !existsSync(`/proc/${pid}`)
}

async function runsTrial(sandbox: Sandbox): Promise<boolean> {
  const trial = await sandbox.start({
    name: groupOfServer('trial'),
    command: ['/bin/true'],
    env: {},
    cwd: '/',
    readable: {},
    writable: {},
    account: nobody,
    limits: { memoryBytes: 2 ** 25, cpus: 1, processes: 16 },
  })
  const { code } = await trial.exited.catch(() => ({ code: null }))
  await trial.cleanUp()
  return code === 0
}
