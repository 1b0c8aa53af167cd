import { access, chmod, chown, constants, lstat, mkdir, realpath, statfs } from 'node:fs/promises'
import { connect } from 'node:net'
import type { Layout } from '../files/layout.ts'
import type { Accounts } from './accounts.ts'
import { findClosedFolder, findOrCopyNode } from './node-executable.ts'

const minFreeBytes = 64 * 1024 * 1024
const connectTimeoutMs = 2_000

const makeOwnFolder = async (path: string, mode: number) => {
  await mkdir(path, { recursive: true })
  const folder = await lstat(path)
  // The sockets may be in /tmp, where another user can create a folder of that name first.
  if (!folder.isDirectory() || (process.getuid && folder.uid !== process.getuid())) {
    throw new Error(`${path} must be a folder of the user who runs the server`)
  }
  await chmod(path, mode)
}

/** Creates the engine's folders. Rejects with the reason when sites cannot run on this machine. */
export const prepareFolders = async (layout: Layout, accounts: Accounts): Promise<void> => {
  if (process.platform === 'win32') {
    throw new Error('The local hosting engine needs Unix sockets and users; Windows has WSL for it')
  }
  const mode = accounts.separate ? 0o711 : 0o700
  await makeOwnFolder(layout.sites, mode)
  await makeOwnFolder(layout.sockets, mode)
  const closed = accounts.separate ? await findClosedFolder(layout.root) : null
  if (closed) {
    throw new Error(
      `Sites run as users of their own, and these cannot enter ${closed}: allow it (chmod o+x) or choose another data folder`,
    )
  }
}

/**
 * Lets a gateway without root reach the sockets. Only root can reach the sockets of earlier
 * versions; a gateway that finds these does not give up root.
 */
export const shareSockets = async (layout: Layout, { serviceGroup }: Accounts): Promise<void> => {
  if (serviceGroup !== null) await chown(layout.sockets, 0, serviceGroup)
}

export const prepareNode = (layout: Layout, accounts: Accounts, node: string): Promise<string> =>
  accounts.separate ? findOrCopyNode(node, layout.runtime) : realpath(node)

const reach = (host: string, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    const socket = connect({ host, port, timeout: connectTimeoutMs })
    socket.once('connect', () => {
      socket.destroy()
      resolve()
    })
    socket.once('timeout', () => socket.destroy(new Error('The site gateway does not respond')))
    socket.once('error', reject)
  })

/** Rejects when sites cannot be created, started or reached. */
export const checkMachine = async (
  layout: Layout,
  gateway: { host: string; port: number },
): Promise<void> => {
  await access(layout.sites, constants.W_OK | constants.X_OK)
  const { bavail, bsize } = await statfs(layout.sites)
  if (bavail * bsize < minFreeBytes) {
    throw new Error(`Less than ${minFreeBytes / 1024 / 1024} MiB are free for sites`)
  }
  await reach(gateway.host, gateway.port)
}
