import { createHmac } from 'node:crypto'

/** The name of the HMAC key that all servers share. */
export const reachKeyName = 'gateway-reach'

/** The path of a challenge. A random token follows it. */
export const reachPath = '/.well-known/slipway-domain/'

/**
 * The proof for a challenge: an HMAC of the lower-case host and the token, which only gateways of
 * this service can compute. It proves that requests to a host reach a gateway, even through a
 * proxy.
 */
export const reachProof = (key: Buffer, host: string, token: string): string =>
  `slipway ${createHmac('sha256', key).update(`${host}\n${token}`).digest('base64url')}`
