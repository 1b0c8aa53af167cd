import { randomBytes } from 'node:crypto'
import { type IncomingMessage, request } from 'node:http'
import { second } from '@slipway/contract/limits'
import { reachPath } from '../../gateway/reach.ts'

const timeout = 5 * second
const maxBytes = 1024

export type Reached =
  /** A gateway of this service, directly or through a proxy. */
  | 'gateway'
  /** Another server, or a proxy that does not pass the request on. */
  | 'other'
  | 'nothing'
  /** This machine has no route to the address, such as without IPv6. */
  | 'unknown'

type Target = {
  host: string
  /** Resolved and checked before: no name is resolved here, so it cannot change in between. */
  address: string
  port: number
  /** The response of a gateway to a random token. */
  reach: (host: string, token: string) => string
}

/**
 * Finds out who responds at an address to requests for a host. Follows no redirect: the server that
 * redirects is not a gateway.
 */
export async function reachAt(
  { host, address, port, reach }: Target,
  caller: AbortSignal,
): Promise<Reached> {
  const token = randomBytes(16).toString('hex')
  const signal = AbortSignal.any([caller, AbortSignal.timeout(timeout)])
  const response = await get({ host, address, port, path: reachPath + token }, signal)
  if (typeof response === 'string') return response
  try {
    const isProven =
      response.statusCode === 200 && (await read(response)).trim() === reach(host, token)
    return isProven ? 'gateway' : 'other'
  } catch {
    // The server responded, and closed the connection too early.
    return 'other'
  } finally {
    response.destroy()
  }
}

/** The head of a response; without one, the meaning of the error. */
const get = (
  { host, address, port, path }: Pick<Target, 'host' | 'address' | 'port'> & { path: string },
  signal: AbortSignal,
) =>
  new Promise<IncomingMessage | Reached>((resolve) => {
    request({ host: address, port, path, headers: { host }, agent: false, signal })
      .on('response', resolve)
      .on('error', (error: NodeJS.ErrnoException) => resolve(meaningOf(error.code ?? '')))
      .end()
  })

const routeErrors = ['ENETUNREACH', 'EADDRNOTAVAIL', 'EAFNOSUPPORT']

function meaningOf(code: string): Reached {
  if (routeErrors.includes(code)) return 'unknown'
  // The server does not speak HTTP.
  return code.startsWith('HPE_') ? 'other' : 'nothing'
}

/** The start of the body, which is enough to recognize a gateway's response. */
async function read(response: IncomingMessage) {
  let body = ''
  for await (const part of response.setEncoding('latin1')) {
    body += part
    if (body.length > maxBytes) break
  }
  return body
}
