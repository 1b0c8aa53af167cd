import { createServer, type IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Log } from '../log.ts'
import { Exchange, type Route } from './exchange.ts'
import { countHosts } from './headers.ts'
import { createPools, type SiteAddress } from './pools.ts'
import { sendProblem } from './problem-pages.ts'
import { type Protocol, readTarget, type Target } from './target.ts'
import { isUpgrade, upgrade } from './upgrade.ts'

export type Routes = {
  /** Where a host leads: `host` is lower-case, without port and trailing dot. Asked for every request. */
  find(host: string): Route | undefined
}

export type GatewayOptions = {
  routes: Routes
  /** Where the site of a project accepts requests: the hosting engine knows. */
  addressOf: (key: string) => SiteAddress
  host: string
  port: number
  /** The domain that all sites are below: no site sets cookies for it, or for what is above it. */
  sitesDomain: string
  /** What visitors see: `https` when a proxy in front of the gateway speaks TLS. `http` by default. */
  protocol?: Protocol
  log: Log
  /** How long a site may leave a visitor without the headers of an answer, in milliseconds. 30 s by default. */
  answerTimeoutMs?: number | undefined
}

export type Gateway = {
  /** Resolves with the address it listens on; rejects when it is taken. */
  listen(): Promise<AddressInfo>
  /** Accepts nothing new, lets answers under way finish for up to 10 seconds, then ends. */
  close(): Promise<void>
}

const drainMs = 10_000

// A visitor who sends slowly, or nothing, may not hold a connection for ever.
const serverOptions = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 15_000,
  requestTimeout: 600_000,
  keepAliveTimeout: 60_000,
  connectionsCheckingInterval: 5_000,
  // A missing Host gets our own page.
  requireHostHeader: false,
  shouldUpgradeCallback: isUpgrade,
}

/** A reverse proxy that leads each visitor to the site of the host name they asked for. */
export const createGateway = (options: GatewayOptions): Gateway => {
  const { routes, addressOf, host, port, protocol = 'http', log } = options
  const { sitesDomain, answerTimeoutMs = 30_000 } = options
  const pools = createPools(addressOf, answerTimeoutMs)
  const upgraded = new Set<Duplex>()
  let closing = false

  const target = (request: IncomingMessage): Target | null =>
    readTarget(request.url ?? '', request.headers.host, countHosts(request.rawHeaders), protocol)

  const server = createServer(serverOptions, (request, response) => {
    if (closing) response.shouldKeepAlive = false
    const wanted = target(request)
    if (!wanted) return sendProblem(request, response, 'malformed_request')
    const route = routes.find(wanted.host)
    if (!route) return sendProblem(request, response, 'site_not_found', wanted.host)

    const exchange = new Exchange(
      request,
      response,
      wanted,
      route,
      pools.of(route.key),
      sitesDomain,
      log,
    )
    response.once('close', () => {
      exchange.onVisitorClose()
      if (closing) server.closeIdleConnections()
    })
    exchange.send()
  })

  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    upgraded.add(socket)
    socket.once('close', () => upgraded.delete(socket))
    // Node no longer listens on this socket; an error closes it, which is all there is to do.
    socket.on('error', (error) => log.info({ reason: error.message }, 'A visitor broke off'))

    const response = new ServerResponse(request)
    response.shouldKeepAlive = false
    response.assignSocket(socket as Socket)
    response.once('finish', () => socket.end())

    const wanted = target(request)
    if (!wanted) return sendProblem(request, response, 'malformed_request')
    const route = routes.find(wanted.host)
    if (!route) return sendProblem(request, response, 'site_not_found', wanted.host)
    const site = { route, address: addressOf(route.key), answerTimeoutMs, sitesDomain }
    upgrade(request, response, socket, head, wanted, site, log)
  })

  return {
    listen: () =>
      new Promise((resolve, reject) => {
        server.once('error', reject)
        server.listen(port, host, () => {
          server.off('error', reject)
          resolve(server.address() as AddressInfo)
        })
      }),

    async close() {
      closing = true
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      for (const socket of upgraded) socket.destroy()
      const timer = setTimeout(() => server.closeAllConnections(), drainMs)
      await closed
      clearTimeout(timer)
      await pools.close()
    },
  }
}
