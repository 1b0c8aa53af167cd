import { setTimeout as sleep } from 'node:timers/promises'
import { errorShapeProblem } from '../checks/shape.ts'
import type { Figures } from '../figures.ts'
import { Finding } from '../finding.ts'
import type { Product } from '../product.ts'
import { maxAttempts, retryPause } from '../requests/run-burst.ts'
import { type Attack, fillPlaceholders, type Listener, smuggledPath } from './attacks.ts'
import { type Conversation, converse } from './connection.ts'
import { readResponses } from './responses.ts'

/** The ports and the host of a site, whose home page has the marker. */
export type Listeners = Record<Listener, { port: number; host: string }> & { marker: string }

export const listenersOf = (
  { server }: Pick<Product, 'server'>,
  site: { host: string; marker: string },
): Listeners => ({
  api: { port: server.port, host: `localhost:${server.port}` },
  gateway: { port: server.sitesPort, host: site.host },
  marker: site.marker,
})

/** Statuses above 500 that are right for such requests (RFC 9110 §15.6.2, §15.6.6). */
const allowedErrors = new Set([501, 505])

function check(
  { listener, name, parts, end, complete }: Attack,
  { received, ended }: Conversation,
) {
  const where = `${listener}: ${name}`
  const text = parts.join('')
  if (complete && end !== 'reset' && received === '' && !ended)
    throw new Finding('hang', where, 'no response and no end of the connection in 2 s')
  const isHead = /^HEAD /.test(text)
  let responses: ReturnType<typeof readResponses>
  try {
    responses = readResponses(received, () => isHead)
  } catch (error) {
    throw new Finding('wrong shape', where, (error as Error).message)
  }
  for (const { status, headers, body } of responses) {
    const summary = `${status} ${body.slice(0, 300)}`
    if (status >= 500 && !allowedErrors.has(status))
      throw new Finding('server error', where, summary)
    const isJson = headers.get('content-type')?.startsWith('application/json')
    if (listener === 'api' && status >= 400 && body !== '' && isJson) {
      const problem = errorShapeProblem({
        status,
        headers: Object.fromEntries(headers),
        body: Buffer.from(body, 'latin1'),
      })
      if (problem !== undefined) throw new Finding('wrong shape', where, problem)
    }
    if (body.includes(smuggledPath)) throw new Finding('foreign data', where, summary)
  }
  // At most one response: the body of an ambiguous request is never read as a second request.
  if (text.includes(smuggledPath) && responses.length > 1)
    throw new Finding(
      'foreign data',
      where,
      `the rest of a body was read as a request: ${responses.map(({ status }) => status).join(', ')}`,
    )
}

/** The home page of the site, on a new connection. */
async function checkSite({ gateway, marker }: Listeners, where: string) {
  const { received } = await converse(
    {
      parts: [`GET / HTTP/1.1\r\nHost: ${gateway.host}\r\nConnection: close\r\n\r\n`],
      pause: 0,
      end: 'none',
      complete: true,
    },
    gateway.port,
  )
  const [response] = readResponses(received, () => false)
  if (response?.status !== 200 || !response.body.includes(marker))
    throw new Finding(
      'broken connection',
      where,
      `afterwards the site responds ${response?.status} ${response?.body.slice(0, 300)}`,
    )
}

/** Attacks both ports at once, and checks that visitors still receive the site. */
export async function runAttacks(
  attacks: readonly Attack[],
  listeners: Listeners,
  figures: Figures,
) {
  for (let attempt = 1; ; attempt++) {
    figures.requests += attacks.length
    figures.attacks += attacks.length
    const conversations = await Promise.all(
      attacks.map(({ parts, ...attack }) => {
        const { host, port } = listeners[attack.listener]
        const sent = parts.map((part) => fillPlaceholders(part, host))
        return converse({ ...attack, parts: sent }, port)
      }),
    )
    try {
      for (const [index, attack] of attacks.entries())
        check(attack, conversations[index] as Conversation)
      return await checkSite(listeners, attacks.map(({ name }) => name).join(', '))
    } catch (error) {
      // A single slow response may come from a busy machine.
      if (!(error instanceof Finding && error.kind === 'hang') || attempt === maxAttempts)
        throw error
      figures.slowOnce++
      await sleep(retryPause)
    }
  }
}
