import { createHash } from 'node:crypto'

/** 127.64.0.0/10: addresses of the loopback network that no machine uses by default. */
const siteCalls = /^(?:::ffff:)?127\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\./

/**
 * The address from which the requests of a site to its own names reach the gateway of this machine.
 * It identifies the site, whatever the request says, and gives each site its own limit of
 * connections.
 */
export function siteCallAddress(key: string): string {
  const [first = 0, second, third] = createHash('sha256').update(key).digest()
  return `127.${64 + (first % 64)}.${second}.${third}`
}

/** True for the address of a site that calls itself: its headers are trusted like a visitor's. */
export const isSiteCall = (address: string): boolean => siteCalls.test(address)
