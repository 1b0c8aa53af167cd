import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { createSocketTicket, socketPath } from '@slipway/contract/events'
import { createRandom } from '../../harness/random.ts'
import type { Product } from '../product/product.ts'
import { act } from './actions.ts'
import type { Journal } from './journal.ts'
import { type Session, startSession } from './session.ts'

/** Concurrent users. */
const userCount = 6
/** After so many actions a user leaves, and another signs up. */
const actionsPerUser = 120
const maxPauseMs = 250
const reconnectDelay = 500

/** Keeps a socket open as the console does, on any web server. */
async function listen(
  { call }: Session,
  { urls }: Product,
  { sockets }: Journal,
  ended: AbortSignal,
) {
  for (let attempt = 0; !ended.aborted; attempt++) {
    const ticket = await call(createSocketTicket, {})
    const url = urls[attempt % urls.length] ?? ''
    if (ticket.outcome === 'acknowledged') {
      const address = `${url.replace(/^http/, 'ws')}/api${socketPath}?token=${ticket.result.ticket}`
      const socket = new WebSocket(address)
      const closed = once(socket, 'close')
      const end = () => socket.close()
      ended.addEventListener('abort', end, { once: true })
      socket.addEventListener('error', () => undefined)
      socket.addEventListener('open', () => sockets.opened++)
      socket.addEventListener('message', () => sockets.events++)
      await closed
      ended.removeEventListener('abort', end)
    }
    await sleep(reconnectDelay)
  }
}

/** One user after the other, each with a socket, until the signal aborts. */
async function runUsers(product: Product, journal: Journal, seed: number, ended: AbortSignal) {
  const random = createRandom(seed)
  while (!ended.aborted) {
    const session = await startSession(product, random, journal, ended)
    if (!session) continue
    const sessionEnd = new AbortController()
    const stop = () => sessionEnd.abort()
    ended.addEventListener('abort', stop, { once: true })
    const listening = listen(session, product, journal, sessionEnd.signal)
    for (let action = 0; action < actionsPerUser && !ended.aborted; action++) {
      await act({ session, product, random, journal })
      await sleep(random.between(0, maxPauseMs))
    }
    sessionEnd.abort()
    ended.removeEventListener('abort', stop)
    await listening
  }
}

/** Starts the users; resolves when the signal has aborted and every call has its outcome. */
export const runLoad = (product: Product, journal: Journal, seed: number, ended: AbortSignal) =>
  Promise.all(
    Array.from({ length: userCount }, (_, index) =>
      runUsers(product, journal, seed + index, ended),
    ),
  )
