import { createClient } from '@slipway/contract/client'
import { createSocketTicket } from '@slipway/contract/events'

/** The socket's URL at a server on the loopback. */
export const socketUrl = (port: number, ticket: string) =>
  `ws://127.0.0.1:${port}/api/common/ws?token=${ticket}`

/** A ticket for the session of a bearer token. */
export async function socketTicket(port: number, token: string) {
  const base = `http://127.0.0.1:${port}/api`
  const call = createClient({ base, token: () => token, locale: () => 'en' })
  return (await call(createSocketTicket)).ticket
}

const opened: WebSocket[] = []

export function closeSockets() {
  for (const socket of opened.splice(0)) socket.close()
}

/** An open socket of a session, and its messages; rejects when the session has ended. */
export const openSocket = async (port: number, token: string) =>
  openSocketWith(port, await socketTicket(port, token))

/** An open socket and its messages; rejects when the ticket is rejected. */
export async function openSocketWith(port: number, ticket: string) {
  const socket = new WebSocket(socketUrl(port, ticket))
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
