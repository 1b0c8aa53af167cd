import { createHash } from 'node:crypto'
import { mkdirSync, realpathSync } from 'node:fs'
import { join } from 'node:path'

/** Where everything of one site lies. */
export type SiteFiles = {
  folder: string
  /** The instance as last applied; the site reads its name and its client secret from it. */
  settings: string
  /** What the site itself may write. Belongs to the site's own user when the server is root. */
  data: string
  /** Which process runs the site. */
  process: string
  log: string
  socketFolder: string
  socket: string
}

export type Layout = {
  root: string
  sites: string
  releases: string
  runtime: string
  sockets: string
  site(key: string): SiteFiles
}

// A DNS label (RFC 1035 §2.3.1, RFC 1123 §2.1): no dot and no slash, so it can never leave its folder.
const keyPattern = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/** True for what may be a project's key, and so the name of a folder and of a host. */
export const isKey = (key: string): boolean => keyPattern.test(key)

// sun_path holds 104 bytes on macOS and 108 on Linux, the closing zero included.
const longestSocketPath = 103

const digest = (text: string, length: number) =>
  createHash('sha256').update(text).digest('hex').slice(0, length)

const chooseSocketsFolder = (root: string): string => {
  const inside = join(root, 'sockets')
  if (Buffer.byteLength(join(inside, digest('', 16), 's')) <= longestSocketPath) return inside
  // Not os.tmpdir(): a server started with another TMPDIR must find the sockets of the one before.
  return `/tmp/slipway-${process.getuid?.() ?? 0}-${digest(root, 16)}`
}

/**
 * The folders of a local hosting engine and its gateway, the same for every process that is given
 * the same data folder. Makes the data folder when it is missing, nothing else.
 */
export const createLayout = (dataDir: string): Layout => {
  mkdirSync(dataDir, { recursive: true })
  // The permission model compares real paths.
  const root = realpathSync(dataDir)
  const sites = join(root, 'sites')
  const sockets = chooseSocketsFolder(root)
  return {
    root,
    sites,
    releases: join(root, 'site-releases'),
    runtime: join(root, 'runtime'),
    sockets,
    site(key) {
      if (!isKey(key)) throw new Error(`Not a project key: ${JSON.stringify(key)}`)
      const folder = join(sites, key)
      const socketFolder = join(sockets, digest(key, 16))
      return {
        folder,
        settings: join(folder, 'site.json'),
        data: join(folder, 'data'),
        process: join(folder, 'process.json'),
        log: join(folder, 'site.log'),
        socketFolder,
        socket: join(socketFolder, 's'),
      }
    },
  }
}
