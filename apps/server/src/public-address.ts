import { BlockList, isIP } from 'node:net'
import { networkInterfaces } from 'node:os'

/**
 * The networks outside of the public internet, by the registries of special-purpose addresses (RFC
 * 6890): this machine, private networks, link-local addresses (also those of cloud metadata),
 * shared address space of carriers, multicast, and addresses that embed IPv4 addresses.
 */
const closed = new BlockList()
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  // The metadata of virtual machines at Azure (WireServer), at a public address.
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const)
  closed.addSubnet(network, prefix, 'ipv4')

/** Global unicast (RFC 4291 §2.4), except where IPv4 addresses are embedded: Teredo and 6to4. */
const openInIpv6 = new BlockList()
openInIpv6.addSubnet('2000::', 3, 'ipv6')
const closedInIpv6 = new BlockList()
closedInIpv6.addSubnet('2001::', 32, 'ipv6')
closedInIpv6.addSubnet('2002::', 16, 'ipv6')

/** Closed ports: 25, SMTP between mail servers, because of spam, and 0, which is no port. */
const closedPorts = new Set([0, 25])
/** Ports of this machine that are public. */
const servedPorts = new Set([80, 443])

const isOwn = (address: string) =>
  Object.values(networkInterfaces()).some((each) =>
    each?.some((networkInterface) => networkInterface.address === address),
  )

/**
 * True for an address and port of the public internet, where customers may make this machine
 * connect. IPv6 addresses that stand for IPv4 ones (mapped, NAT64) are not global unicast. The
 * machine's own addresses are closed except for its websites: a firewall does not see connections
 * from within.
 */
export function isPublic(address: string, port: number): boolean {
  if (closedPorts.has(port) || !Number.isInteger(port) || port > 65_535) return false
  if (isOwn(address) && !servedPorts.has(port)) return false
  switch (isIP(address)) {
    case 4:
      return !closed.check(address, 'ipv4')
    case 6:
      return openInIpv6.check(address, 'ipv6') && !closedInIpv6.check(address, 'ipv6')
    default:
      return false
  }
}
