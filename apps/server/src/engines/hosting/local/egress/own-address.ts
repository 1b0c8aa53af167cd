import { isIPv4 } from 'node:net'
import { defaultPorts } from '../../../../env/public-ports.ts'
import { siteCallAddress } from '../../../../site-calls.ts'
import type { Gateway } from '../../health-check.ts'

/** The ports of the gateway of this machine, beside the one of `Gateway`. */
export type GatewayPorts = {
  /** The ports that visitors use; the default ones of http and https without it. */
  publicPorts?: Record<'http' | 'https', number> | undefined
  /** Where the gateway terminates TLS, if it does. */
  tlsPort?: number | undefined
}

/** Where one of a site's own names leads on this machine. */
export type OwnAddress = {
  host: string
  port: number
  /** The source address of the connection. */
  localAddress?: string
}

/** Undefined for a host and port that lead elsewhere. */
export type FindOwnAddress = (host: string, port: number) => Promise<OwnAddress | undefined>

type Hosts = () => Promise<readonly string[]>

/**
 * The addresses of the gateway for the names of one site, which are read at each request: they
 * change while it runs.
 */
export function createOwnAddress(
  gateway: Gateway,
  { publicPorts = defaultPorts, tlsPort }: GatewayPorts,
  hosts: Hosts,
): FindOwnAddress {
  /** The port of the gateway that serves a port of visitors. */
  const listening = (port: number) => {
    if (port === defaultPorts.http || port === publicPorts.http) return gateway.port
    if (port === defaultPorts.https || port === publicPorts.https) return tlsPort
    return undefined
  }
  return async (host, port) => {
    const gatewayPort = listening(port)
    if (gatewayPort === undefined || !(await hosts()).includes(nameOf(host))) return undefined
    return { host: reachable(gateway.host), port: gatewayPort }
  }
}

/** As `createOwnAddress`, for the program of the site with this key. */
export function createSiteAddress(
  key: string,
  gateway: Gateway,
  ports: GatewayPorts,
  hosts: Hosts,
): FindOwnAddress {
  const find = createOwnAddress(gateway, ports, hosts)
  return async (host, port) => {
    const address = await find(host, port)
    // Only a connection over IPv4 can have the address of the site.
    if (!address || !isIPv4(address.host)) return undefined
    return { ...address, localAddress: siteCallAddress(key) }
  }
}

const nameOf = (host: string) => host.toLowerCase().replace(/\.$/, '')

/** An address to connect to, for a gateway that listens on every one. */
const reachable = (host: string) => {
  const bare = host.replace(/^\[(.*)\]$/, '$1')
  return bare === '0.0.0.0' || bare === '::' ? '127.0.0.1' : bare
}
