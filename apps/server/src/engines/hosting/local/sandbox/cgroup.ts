import { existsSync } from 'node:fs'
import { access, constants, mkdir, readdir, readFile, rmdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { nullIfMissing } from '../../../../file-errors.ts'
import type { Log } from '../../../../log.ts'

/** What all processes of a site together may use. */
export type ResourceLimits = {
  memoryBytes: number
  /** Cores, such as 0.5. */
  cpus: number
  processes: number
}

export type Cgroup = {
  readonly name: string
  /** A process joins by writing its id, or 0 for itself, into each of these files. */
  joinFiles: readonly string[]
  /** How often the kernel ended a process of the group because memory ran out. */
  memoryKills(): Promise<number>
  /** True once the kernel has rejected a process or thread because the group had too many. */
  rejectsForks(): Promise<boolean>
  /** The ids of its processes. */
  processes(): Promise<number[]>
  /** Kills its processes. */
  kill(): Promise<void>
  /** Kills the processes that are left and removes the group. Idempotent. */
  remove(): Promise<void>
  /**
   * As `remove`, but never rejects: a process that hangs in the kernel ends later than it is
   * killed, and the group is removed then.
   */
  removeEventually(log: Log): Promise<void>
}

export type Cgroups = {
  create(name: string, limits: ResourceLimits): Promise<Cgroup>
  /** A group that exists, or is removed already. */
  open(name: string): Cgroup
  /** Kills the processes in the groups that `shouldRemove` selects, and removes the groups. */
  removeAll(shouldRemove: (name: string) => boolean): Promise<void>
}

const root = '/sys/fs/cgroup'
/** Groups of all sites are below it. */
const parent = 'slipway'
/** The group of a container's processes, this one included; named as in Docker in Docker. */
const containerGroup = 'init'
/** Of the CPU limit, in microseconds. */
const cpuPeriod = 100_000

type Settings = Record<string, string>

const isWritable = (path: string) =>
  access(path, constants.W_OK).then(
    () => true,
    () => false,
  )

/**
 * The control groups of this machine, version 2 (kernel: admin-guide/cgroup-v2) or 1; null when
 * this process cannot write them.
 */
export async function findCgroups(): Promise<Cgroups | null> {
  if (existsSync(join(root, 'cgroup.controllers'))) return unified()
  const controllers = ['memory', 'pids', 'cpu'].map((name) => join(root, name))
  const writable = await Promise.all(controllers.map(isWritable))
  return writable.every(Boolean) ? separate() : null
}

/** Version 2: one folder has all controllers. */
async function unified(): Promise<Cgroups | null> {
  const base = join(root, parent)
  try {
    await mkdir(base, { recursive: true })
    await enableControllersOfRoot()
    await enableControllers(base)
  } catch {
    return null
  }
  const open = (name: string) => {
    const folder = join(base, name)
    return groupOf(name, [folder], {
      memory: join(folder, 'memory.events'),
      processes: join(folder, 'pids.events'),
    })
  }
  return {
    open,
    removeAll: (shouldRemove) => removeFolders(base, shouldRemove),
    create: (name, limits) =>
      makeGroup(open(name), [join(base, name)], {
        'memory.max': String(limits.memoryBytes),
        'memory.swap.max': '0',
        'pids.max': String(limits.processes),
        'cpu.max': `${Math.round(limits.cpus * cpuPeriod)} ${cpuPeriod}`,
      }),
  }
}

const enableControllers = (folder: string) =>
  writeFile(join(folder, 'cgroup.subtree_control'), '+memory +pids +cpu')

/** A process that forks while it is moved leaves its child behind: one try may not be enough. */
const maxMoves = 100

/**
 * The root group of a container has the container's processes. The kernel rejects limits below a
 * group that has processes (EBUSY), so they move to a group of their own.
 */
async function enableControllersOfRoot() {
  for (let moves = 0; ; moves++) {
    try {
      return await enableControllers(root)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EBUSY' || moves === maxMoves) throw error
    }
    await moveProcesses(root, join(root, containerGroup))
  }
}

async function moveProcesses(from: string, to: string) {
  await mkdir(to, { recursive: true })
  for (const id of await processesIn(join(from, 'cgroup.procs')))
    await writeFile(join(to, 'cgroup.procs'), String(id)).catch((error: NodeJS.ErrnoException) => {
      // It has ended.
      if (error.code !== 'ESRCH') throw error
    })
}

/** Version 1: each controller has its own folders. */
function separate(): Cgroups {
  const bases = ['memory', 'pids', 'cpu'].map((controller) => join(root, controller, parent))
  const foldersOf = (name: string) => bases.map((base) => join(base, name))
  const open = (name: string) => {
    const [memory = '', processes = '', cpu = ''] = foldersOf(name)
    return groupOf(name, [memory, processes, cpu], {
      memory: join(memory, 'memory.oom_control'),
      processes: join(processes, 'pids.events'),
    })
  }
  return {
    open,
    async removeAll(shouldRemove) {
      for (const base of bases) await removeFolders(base, shouldRemove)
    },
    create: (name, limits) =>
      makeGroup(open(name), foldersOf(name), {
        'memory.limit_in_bytes': String(limits.memoryBytes),
        // Memory and swap together; some kernels do not count swap.
        'memory.memsw.limit_in_bytes': String(limits.memoryBytes),
        // For these: they rather end a process than swap.
        'memory.swappiness': '0',
        'pids.max': String(limits.processes),
        'cpu.cfs_period_us': String(cpuPeriod),
        'cpu.cfs_quota_us': String(Math.round(limits.cpus * cpuPeriod)),
      }),
  }
}

async function makeGroup(group: Cgroup, folders: readonly string[], settings: Settings) {
  for (const folder of folders) await mkdir(folder, { recursive: true })
  for (const [name, value] of Object.entries(settings)) {
    const folder = folders.find((each) => existsSync(join(each, name)))
    // A kernel that does not count swap lacks the file of that limit.
    if (folder) await writeFile(join(folder, name), value)
  }
  return group
}

/** A number of a file with lines such as `max 3`; 0 without one. */
async function countIn(file: string, name: string): Promise<number> {
  const lines = (await readFile(file, 'utf8').catch(() => '')).split('\n')
  const [, count = '0'] = lines.find((line) => line.startsWith(`${name} `))?.split(' ') ?? []
  return Number(count)
}

function groupOf(
  name: string,
  folders: readonly string[],
  events: { memory: string; processes: string },
): Cgroup {
  const [first = ''] = folders
  const processes = () => processesIn(join(first, 'cgroup.procs'))
  const remove = async (tries: number) => {
    for (const folder of folders) await removeFolder(folder, tries)
  }
  const removeLater = async (log: Log) => {
    try {
      do await sleep(laterDelay, undefined, { ref: false })
      while (!(await remove(1).then(() => true, falseIfBusy)))
    } catch (err) {
      log.error({ err, group: name }, 'A control group could not be removed')
    }
  }
  return {
    name,
    joinFiles: folders.map((folder) => join(folder, 'cgroup.procs')),
    processes,
    async kill() {
      // Of Linux 5.14, version 2: kills also what its processes fork meanwhile.
      const isKilled = await writeFile(join(first, 'cgroup.kill'), '1', { flag: 'r+' }).then(
        () => true,
        () => false,
      )
      if (!isKilled) killAll(await processes())
    },
    memoryKills: () => countIn(events.memory, 'oom_kill'),
    rejectsForks: async () => (await countIn(events.processes, 'max')) > 0,
    remove: () => remove(removalTries),
    async removeEventually(log) {
      try {
        await remove(removalTries)
      } catch (err) {
        log.error({ err, group: name }, 'The killed processes of a site have not ended')
        void removeLater(log)
      }
    },
  }
}

const retryDelay = 10
const removalTries = 500
/** Between two tries in the background. */
const laterDelay = 1_000

/** False for a group whose processes have not ended; other errors are thrown. */
const falseIfBusy = (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EBUSY') throw error
  return false
}

/** The kernel rejects the removal until the last process has exited. */
async function removeFolder(folder: string, maxTries = removalTries) {
  for (let tries = 1; ; tries++) {
    try {
      return await rmdir(folder)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'ENOENT') return
      if (code !== 'EBUSY' || tries === maxTries) throw error
    }
    killAll(await processesIn(join(folder, 'cgroup.procs')))
    await sleep(retryDelay)
  }
}

async function removeFolders(base: string, shouldRemove: (name: string) => boolean) {
  for (const name of ((await nullIfMissing(readdir(base))) ?? []).filter(shouldRemove))
    await removeFolder(join(base, name)).catch((error: NodeJS.ErrnoException) => {
      // Another container uses the group.
      if (error.code !== 'EBUSY') throw error
    })
}

async function processesIn(file: string): Promise<number[]> {
  const text = await readFile(file, 'utf8').catch(() => '')
  // Processes of other containers are listed as 0.
  return text
    .split('\n')
    .map(Number)
    .filter((id) => id > 0)
}

function killAll(ids: readonly number[]) {
  for (const id of ids) {
    try {
      process.kill(id, 'SIGKILL')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  }
}
