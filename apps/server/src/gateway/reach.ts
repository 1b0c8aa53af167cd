import { createHmac } from 'node:crypto'

/** The name of the key that all servers share. */
export const reachKeyName = 'gateway-reach'

/** What follows this path at any host is a random token. */
export const reachPath = '/.well-known/slipway-domain/'

/**
 * What every gateway of this service, and nothing else, responds to a random token at a host, which
 * is lower-case: so the service finds out whether a name leads to it. Whoever forwards the request
 * to a gateway gets the same response.
 */
export const reachProof = (key: Buffer, host: string, token: string): string =>
  `slipway ${createHmac('sha256', key).update(`${host}\n${token}`).digest('base64url')}`
