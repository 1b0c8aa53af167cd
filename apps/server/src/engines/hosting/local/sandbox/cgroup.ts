import { existsSync } from 'node:fs'
import { access, constants, mkdir, readdir, readFile, rmdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

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
  /** The ids of its processes. */
  processes(): Promise<number[]>
  /** Kills its processes. */
  kill(): Promise<void>
  /** Kills the processes that are left and removes the group. Idempotent. */
  remove(): Promise<void>
}

export type Cgroups = {
  create(name: string, limits: ResourceLimits): Promise<Cgroup>
  /** A group that exists, or is removed already. */
  open(name: string): Cgroup
  /** Kills the processes in these groups and removes them. */
  removeAll(isRemoved: (name: string) => boolean): Promise<void>
}

const root = '/sys/fs/cgroup'
/** Groups of all sites are below it. */
const parent = 'slipway'
const period = 100_000

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
    for (const folder of [root, base])
      await writeFile(join(folder, 'cgroup.subtree_control'), '+memory +pids +cpu')
  } catch {
    return null
  }
  const open = (name: string) => {
    const folder = join(base, name)
    return groupOf(name, [folder], join(folder, 'memory.events'))
  }
  return {
    open,
    removeAll: (isRemoved) => removeFolders(base, isRemoved),
    create: (name, limits) =>
      makeGroup(open(name), [join(base, name)], {
        'memory.max': String(limits.memoryBytes),
        'memory.swap.max': '0',
        'pids.max': String(limits.processes),
        'cpu.max': `${Math.round(limits.cpus * period)} ${period}`,
      }),
  }
}

/** Version 1: each controller has its own folders. */
function separate(): Cgroups {
  const bases = ['memory', 'pids', 'cpu'].map((controller) => join(root, controller, parent))
  const foldersOf = (name: string) => bases.map((base) => join(base, name))
  const open = (name: string) => {
    const [memory = '', ...others] = foldersOf(name)
    return groupOf(name, [memory, ...others], join(memory, 'memory.oom_control'))
  }
  return {
    open,
    async removeAll(isRemoved) {
      for (const base of bases) await removeFolders(base, isRemoved)
    },
    create: (name, limits) =>
      makeGroup(open(name), foldersOf(name), {
        'memory.limit_in_bytes': String(limits.memoryBytes),
        'pids.max': String(limits.processes),
        'cpu.cfs_period_us': String(period),
        'cpu.cfs_quota_us': String(Math.round(limits.cpus * period)),
      }),
  }
}

async function makeGroup(group: Cgroup, folders: readonly string[], settings: Settings) {
  for (const folder of folders) await mkdir(folder, { recursive: true })
  for (const [name, value] of Object.entries(settings)) {
    const folder = folders.find((each) => existsSync(join(each, name)))
    // A kernel without swap accounting has no limit of it.
    if (folder) await writeFile(join(folder, name), value)
  }
  return group
}

function groupOf(name: string, folders: readonly string[], eventsFile: string): Cgroup {
  const [first = ''] = folders
  const processes = () => processesIn(join(first, 'cgroup.procs'))
  return {
    name,
    joinFiles: folders.map((folder) => join(folder, 'cgroup.procs')),
    processes,
    kill: async () => killAll(await processes()),
    async memoryKills() {
      const events = await readFile(eventsFile, 'utf8').catch(() => '')
      const [, count] = /^oom_kill (\d+)$/m.exec(events) ?? []
      return Number(count ?? 0)
    },
    async remove() {
      for (const folder of folders) await removeFolder(folder)
    },
  }
}

const retryDelay = 10
const maxTries = 500

/** The kernel rejects the removal until the last process has exited. */
async function removeFolder(folder: string) {
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

async function removeFolders(base: string, isRemoved: (name: string) => boolean) {
  for (const name of (await readdirOrNone(base)).filter(isRemoved))
    await removeFolder(join(base, name)).catch((error: NodeJS.ErrnoException) => {
      // Another container uses it.
      if (error.code !== 'EBUSY') throw error
    })
}

const readdirOrNone = (folder: string) =>
  readdir(folder).catch((error: NodeJS.ErrnoException): string[] => {
    if (error.code === 'ENOENT') return []
    throw error
  })

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
