import { readdir, readFile, readlink, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { sql } from 'drizzle-orm'
import type { Db } from '../db/connect.ts'
import { createLayout } from '../engines/hosting/local/files/layout.ts'

/** The traces of a site on this machine, found by a scan instead of a list of known places. */
export type SiteTraces = {
  /** Processes that run as its user, or name its folders in anything the kernel shows of them. */
  processes: string[]
  /** Namespaces of its processes that are not this process's own. */
  namespaces: string[]
  /** Control groups that are named after it. */
  groups: string[]
  /** Unix sockets of the machine, mounts, and network interfaces. */
  sockets: string[]
  mounts: string[]
  interfaces: string[]
  /** Paths in the data folder that name it or belong to its user, and files that mention it. */
  files: string[]
}

export const noTraces: SiteTraces = {
  processes: [],
  namespaces: [],
  groups: [],
  sockets: [],
  mounts: [],
  interfaces: [],
  files: [],
}

const readText = (path: string) => readFile(path, 'latin1').catch(() => '')
const linkOf = (path: string) => readlink(path).catch(() => '')
const entriesOf = (path: string) => readdir(path).catch((): string[] => [])

const namespaceKinds = ['cgroup', 'ipc', 'mnt', 'net', 'pid', 'user', 'uts']

async function namespacesOf(pid: string): Promise<string[]> {
  const links = namespaceKinds.map((kind) => linkOf(`/proc/${pid}/ns/${kind}`))
  return (await Promise.all(links)).filter(Boolean)
}

/** Everything in /proc that can name a folder of a site. */
async function describeProcess(pid: string): Promise<string> {
  const folder = `/proc/${pid}`
  const files = await entriesOf(`${folder}/fd`)
  const parts = await Promise.all([
    ...['cmdline', 'environ', 'cgroup', 'maps', 'mountinfo'].map((name) =>
      readText(`${folder}/${name}`),
    ),
    ...['cwd', 'root', 'exe'].map((name) => linkOf(`${folder}/${name}`)),
    ...files.map((name) => linkOf(`${folder}/fd/${name}`)),
  ])
  return parts.join('\n')
}

async function foldersBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  const folders = entries.filter((entry) => entry.isDirectory())
  const nested = await Promise.all(folders.map(({ name }) => foldersBelow(join(folder, name))))
  return [...folders.map(({ name }) => join(folder, name)), ...nested.flat()]
}

/** Scans this machine for a site. `uid` is the id of its user; null without one. */
export async function findSiteTraces(
  dataDir: string,
  key: string,
  uid: number | null,
): Promise<SiteTraces> {
  const { root, site, sockets } = createLayout(dataDir)
  const names = [key, basename(site(key).socketFolder)]
  const isNamed = (text: string) => names.some((name) => text.includes(name))

  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const ownNamespaces = new Set(await namespacesOf('self'))
  const processes: string[] = []
  const namespaces = new Set<string>()
  for (const pid of pids) {
    const status = await readText(`/proc/${pid}/status`)
    const isOfUser = uid !== null && new RegExp(`^Uid:.*\\b${uid}\\b`, 'm').test(status)
    if (!isOfUser && !isNamed(await describeProcess(pid))) continue
    processes.push(`${pid} ${(await readText(`/proc/${pid}/cmdline`)).replaceAll('\0', ' ')}`)
    for (const each of await namespacesOf(pid)) if (!ownNamespaces.has(each)) namespaces.add(each)
  }

  const files: string[] = []
  for (const folder of new Set([root, sockets])) {
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name)
      const belongs = uid !== null && (await stat(path).catch(() => null))?.uid === uid
      if (belongs || isNamed(path) || (entry.isFile() && isNamed(await readText(path))))
        files.push(path)
    }
  }
  for (const name of await readdir(tmpdir())) if (isNamed(name)) files.push(join(tmpdir(), name))

  const lines = (text: string) => text.split('\n').filter(isNamed)
  return {
    processes,
    namespaces: [...namespaces],
    groups: (await foldersBelow('/sys/fs/cgroup')).filter(isNamed),
    sockets: lines(await readText('/proc/net/unix')),
    mounts: lines(await readText('/proc/self/mountinfo')),
    interfaces: [...(await entriesOf('/sys/class/net')), ...(await entriesOf('/run/netns'))].filter(
      isNamed,
    ),
    files,
  }
}

/**
 * The tables with a row that contains one of these texts, in any column. Without the queue of jobs,
 * which deletes each job a day after its end.
 */
export async function tablesWith(db: Db, texts: readonly string[]): Promise<string[]> {
  const { rows: tables } = await db.execute<{ name: string }>(sql`
    select table_name as name from information_schema.tables
    where table_type = 'BASE TABLE' and table_schema = 'public' order by table_name`)
  const tablesWithTraces: string[] = []
  for (const { name } of tables) {
    const { rows } = await db.execute(
      sql`select from ${sql.identifier(name)} as one where one::text ~ ${texts.join('|')} limit 1`,
    )
    if (rows.length > 0) tablesWithTraces.push(name)
  }
  return tablesWithTraces
}
