import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** How long a client may continue to send a request after its response, in milliseconds. */
const unreadTimeout = 5_000

/** Closes the connection of a request whose body is not read, because no timeout would. */
export function limitUnreadBody(request: IncomingMessage, response: ServerResponse) {
  // A destroyed request no longer has a socket.
  const { socket } = request
  response.once('finish', () => {
    if (!request.complete) setTimeout(closeIncomplete, unreadTimeout, request, socket).unref()
  })
}

const closeIncomplete = (request: IncomingMessage, socket: Socket) => {
  if (!request.complete) socket.destroy()
}
