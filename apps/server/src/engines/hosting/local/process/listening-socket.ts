import { rename } from 'node:fs/promises'
import { createServer } from 'node:net'
import { shareSocket } from './shared-socket.ts'

export type ListeningSocket = {
  fd: number
  /** Closes it here at once; it stays open in the processes that have it, and on the disk. */
  close(): void
}

/** The libuv handle of net.Server. Node has no other way to the descriptor. */
type WithHandle = { _handle: { fd: number } }

/**
 * A Unix socket that listens at this path, to give to a program. The program needs no access to the
 * path, so it cannot put anything else there. Connections wait until it accepts them. The members
 * of `group` may connect.
 */
export async function listenAt(path: string, group: number | null): Promise<ListeningSocket> {
  const temporary = `${path}.new`
  const server = createServer()
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ path: temporary, backlog: 511 }, resolve)
  })
  await shareSocket(temporary, group)
  // Closing deletes the path that was listened at, which is then no longer the socket's.
  await rename(temporary, path)
  return {
    fd: (server as unknown as WithHandle)._handle.fd,
    close: () => void server.close(),
  }
}
