/** The socket's URL at a server on the loopback. */
export const socketUrl = (port: number, token: string) =>
  `ws://127.0.0.1:${port}/api/common/ws?token=${token}`

const opened: WebSocket[] = []

/** Closes all sockets of the test. */
export function closeSockets() {
  for (const socket of opened.splice(0)) socket.close()
}

/** An open socket and its messages; rejects when the socket is rejected. */
export async function openSocket(port: number, token: string) {
  const socket = new WebSocket(socketUrl(port, token))
  opened.push(socket)
  const messages: string[] = []
  const waiting: (() => void)[] = []
  socket.addEventListener('message', ({ data }) => {
    messages.push(String(data))
    for (const wake of waiting.splice(0)) wake()
  })
  const closed = new Promise<number>((resolve) => {
    socket.addEventListener('close', ({ code }) => resolve(code))
  })
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve)
    socket.addEventListener('error', reject)
  })
  return {
    socket,
    closed,
    messages,
    /** The next unread message. */
    async next(): Promise<{ kind: string; data: Record<string, unknown> }> {
      while (messages.length === 0) await new Promise<void>((wake) => waiting.push(wake))
      return JSON.parse(messages.shift() ?? '')
    },
  }
}
