import type { RequestListener } from 'node:http'
import type { Socket } from 'node:net'

/** Requests of one connection at once, as over HTTP/2. Browsers do not pipeline. */
const maxCurrentRequests = 100

/**
 * A listener for a server of HTTP/1.1 that closes a connection with too many requests before their
 * responses: each may need memory, and a connection to a site. Node itself has no limit.
 */
export const limitPipelining = (listener: RequestListener): RequestListener => {
  const current = new WeakMap<Socket, number>()
  return (request, response) => {
    const { socket } = request
    // Node also emits the requests that arrived in one packet with the one too many.
    if (socket.destroyed) return
    const count = (current.get(socket) ?? 0) + 1
    if (count > maxCurrentRequests) {
      socket.destroy()
      return
    }
    current.set(socket, count)
    response.once('close', () => current.set(socket, (current.get(socket) ?? 1) - 1))
    listener(request, response)
  }
}
