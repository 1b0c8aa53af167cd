import type { LookupAddress } from 'node:dns'
import { Resolver } from 'node:dns/promises'

/** How long a name server may take for each of two tries, in milliseconds. */
const tryMs = 3_000

/**
 * The addresses of a name, IPv4 first; empty without any. Not by the system's `getaddrinfo`: it has
 * two threads for the whole server, which slow names of one site would occupy.
 */
export async function addressesOf(
  name: string,
  nameServers: readonly string[],
): Promise<LookupAddress[]> {
  // One for each look-up, because it reads the system's settings once.
  const resolver = new Resolver({ timeout: tryMs, maxTimeout: tryMs, tries: 2 })
  if (nameServers.length > 0) resolver.setServers(nameServers)
  const noAddresses = () => []
  const [v4, v6] = await Promise.all([
    resolver.resolve4(name).catch(noAddresses),
    resolver.resolve6(name).catch(noAddresses),
  ])
  return [
    ...v4.map((address) => ({ address, family: 4 })),
    ...v6.map((address) => ({ address, family: 6 })),
  ]
}
