import { createHash } from 'node:crypto'
import { mkdirSync, realpathSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { nullIfMissing } from '../../../../file-errors.ts'

export type SiteFiles = {
  folder: string
  /** The instance as last applied. The site reads its name and client secret from it. */
  settings: string
  /** The only folder the site may write. Belongs to the site's user when the server is root. */
  data: string
  /** Temporary files of a copy of the running site. */
  copies: string
  /** The record of the site's process. */
  process: string
  log: string
  /** Which packages a build of the site has (`runtimes/node/package-record.ts`). */
  packagesRecord: string
  /** Exists while the site sleeps. Has the launch that ran last. */
  asleep: string
  /** Exists while the site is stopped because its disk is full. Has the launch that filled it. */
  diskFull: string
  /** The size up to which a site that was started with a full disk may run. */
  diskAllowance: string
  /** The record of a process that starts beside the serving one. */
  candidate: string
  candidateLog: string
  /** The record of a process that finishes its last requests. */
  draining: string
  /** Belongs to the server: the site cannot put anything into it. */
  socketFolder: string
  /** A symlink to the socket of the site's process. */
  socket: string
  /** The folder with the sockets of the site's egress proxy. */
  egress: string
}

export type Layout = {
  root: string
  /** Locked by the server that runs the sites. */
  lock: string
  sites: string
  releases: string
  runtime: string
  /** The folder with the files that every sandbox reads. */
  sandbox: string
  /** The runtimes that the engine supports, for servers without the engine. */
  capabilities: string
  sockets: string
  /** The socket for the wake requests that other servers send to the one that runs the sites. */
  wakeSocket: string
  /** The folder with the sockets of the egress proxy for pictures of sites. */
  pictureEgress: string
  /** The control group of a picture. Those of sites have a dot in their names. */
  pictureGroup: string
  site(key: string): SiteFiles
}

// A DNS label (RFC 1035 §2.3.1, RFC 1123 §2.1). Without dots and slashes it cannot leave its
// folder.
const keyPattern = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/** True for a valid project key, which is also a folder name and a host label. */
export const isKey = (key: string): boolean => keyPattern.test(key)

// sun_path has 104 bytes on macOS and 108 on Linux, the terminating zero included.
const maxSocketPathLength = 103

const digest = (text: string, length: number) =>
  createHash('sha256').update(text).digest('hex').slice(0, length)

const chooseSocketsFolder = (root: string): string => {
  const ownFolder = join(root, 'sockets')
  // The longest path: a socket has a random name of 8 characters, and is bound as `.new`.
  const longestPath = join(ownFolder, digest('', 16), '01234567.new')
  if (Buffer.byteLength(longestPath) <= maxSocketPathLength) return ownFolder
  // Not os.tmpdir(): a server with another TMPDIR must find the sockets of the previous one.
  return `/tmp/slipway-${process.getuid?.() ?? 0}-${digest(root, 16)}`
}

/**
 * The folders of a local hosting engine, the same for every process with the same data folder.
 * Creates the data folder when it is missing, nothing else.
 */
export const createLayout = (dataDir: string): Layout => {
  mkdirSync(dataDir, { recursive: true })
  // The permission model compares real paths.
  const root = realpathSync(dataDir)
  const sites = join(root, 'sites')
  const sockets = chooseSocketsFolder(root)
  return {
    root,
    lock: join(root, 'sites.lock'),
    sites,
    releases: join(root, 'site-releases'),
    runtime: join(root, 'runtime'),
    sandbox: join(root, 'sandbox'),
    capabilities: join(root, 'runtimes.json'),
    sockets,
    wakeSocket: join(sockets, 'wake'),
    pictureEgress: join(sockets, 'picture'),
    pictureGroup: `picture-${digest(root, 16)}`,
    site(key) {
      if (!isKey(key)) throw new Error(`Not a project key: ${JSON.stringify(key)}`)
      const folder = join(sites, key)
      const socketFolder = join(sockets, digest(key, 16))
      return {
        folder,
        settings: join(folder, 'site.json'),
        data: join(folder, 'data'),
        copies: join(folder, 'copies'),
        process: join(folder, 'process.json'),
        log: join(folder, 'site.log'),
        packagesRecord: join(folder, 'packages.json'),
        asleep: join(folder, 'asleep'),
        diskFull: join(folder, 'disk-full'),
        diskAllowance: join(folder, 'disk-allowance.json'),
        candidate: join(folder, 'candidate.json'),
        candidateLog: join(folder, 'candidate.log'),
        draining: join(folder, 'draining.json'),
        socketFolder,
        socket: join(socketFolder, 's'),
        egress: join(socketFolder, 'egress'),
      }
    },
  }
}

/** The keys of all sites with a folder, leftovers of removals included. */
export const sitesOnDisk = async (layout: Layout): Promise<string[]> =>
  ((await nullIfMissing(readdir(layout.sites))) ?? []).filter(isKey)
