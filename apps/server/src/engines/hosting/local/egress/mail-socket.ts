import { createServer, type Server, type Socket } from 'node:net'
import type { Log } from '../../../../log.ts'

/** Sends an email of a site, as its program wrote it. Resolves with null, or why it is not sent. */
export type SendEmail = (key: string, email: Buffer) => Promise<string | null>

/** The name of the socket in a site's folder. */
export const mailSocket = 'm'

const maxEmailBytes = 2 * 2 ** 20
const connectionsPerSite = 4
const idleTimeoutMs = 30_000

/** Null for an email that is too large, which is still read to its end. */
async function readEmail(socket: Socket): Promise<Buffer | null> {
  const chunks: Buffer[] = []
  let bytes = 0
  // The other side of the socket stays open for the response.
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
    bytes += chunk.length
    if (bytes <= maxEmailBytes) chunks.push(chunk)
    else chunks.length = 0
  }
  return bytes <= maxEmailBytes ? Buffer.concat(chunks) : null
}

/**
 * The server for a site's `sendmail`, which writes an email, ends its side, and reads one line:
 * `sent`, or the reason of a failure.
 */
export function createMailServer(key: string, send: SendEmail, log: Log): Server {
  async function respond(socket: Socket) {
    const email = await readEmail(socket)
    const problem = email ? await send(key, email) : 'it is larger than 2 MB'
    socket.end(`${problem ?? 'sent'}\n`)
  }
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.setTimeout(idleTimeoutMs, () => socket.destroy())
    socket.on('error', () => socket.destroy())
    respond(socket).catch((err: unknown) => {
      if (!socket.destroyed) log.error({ key, err }, 'An email of a site was not sent')
      socket.destroy()
    })
  })
  server.maxConnections = connectionsPerSite
  return server
}
