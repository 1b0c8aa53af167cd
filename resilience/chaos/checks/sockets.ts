import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { updateProfileName } from '@slipway/contract/account'
import { createClient } from '@slipway/contract/client'
import { createSocketTicket, socketPath } from '@slipway/contract/events'
import type { Product } from '../product/product.ts'
import { violationsOf } from './violation.ts'

const eventTimeout = 10_000

/** Opens a socket on each web server, as a console does, and changes a name on another. */
export async function checkSockets({ urls, operatorToken }: Product) {
  const descriptions: string[] = []
  const clientOf = (url: string) =>
    createClient({ base: `${url}/api`, token: () => operatorToken, locale: () => 'en' })
  for (const [index, url] of urls.entries()) {
    const { ticket } = await clientOf(url)(createSocketTicket)
    const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/api${socketPath}?token=${ticket}`)
    socket.addEventListener('error', () => undefined)
    const timeout = AbortSignal.timeout(eventTimeout)
    try {
      await once(socket, 'open', { signal: timeout })
      const event = once(socket, 'message', { signal: timeout })
      const otherUrl = urls[(index + 1) % urls.length] ?? url
      await clientOf(otherUrl)(updateProfileName, { body: { name: `Example ${randomUUID()}` } })
      await event
    } catch {
      descriptions.push(
        `a socket of ${url} received no event of a change in ${eventTimeout / 1000} s`,
      )
    } finally {
      socket.close()
    }
  }
  return violationsOf('sockets without events', descriptions)
}
