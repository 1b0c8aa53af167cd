import { isIPv6, SocketAddress } from 'node:net'

/** How a dual-stack socket reports an IPv4 address (RFC 4291 §2.5.5.2). */
const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/

/** The groups of a canonical IPv6 address (RFC 5952), the zeros of `::` included. */
function groupsOf(canonical: string) {
  const [left = [], right = []] = canonical
    .split('::')
    .map((part) => part.split(':').filter(Boolean))
  return [...left, ...Array<string>(8 - left.length - right.length).fill('0'), ...right]
}

/**
 * The network that counts as one caller: an IPv4 address, or the /64 of an IPv6 address, all of
 * which one subscriber has (RFC 6177). Other text is returned as it is.
 */
export function networkOf(address: string): string {
  const [bare = ''] = address.split('%')
  if (!isIPv6(bare)) return address
  const { address: canonical } = new SocketAddress({ address: bare, family: 'ipv6' })
  return mapped.exec(canonical)?.[1] ?? `${groupsOf(canonical).slice(0, 4).join(':')}::/64`
}

/** The port of an http or https URL. */
export const portOf = ({ protocol, port }: URL): number =>
  Number(port || (protocol === 'https:' ? 443 : 80))
