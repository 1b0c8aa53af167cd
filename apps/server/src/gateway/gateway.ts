import { createServer, type IncomingMessage, ServerResponse } from 'node:http'
import { type AddressInfo, Server as NetServer, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { TLSSocket } from 'node:tls'
import { second } from '@slipway/contract/limits'
import type { ArtifactFiles } from '../artifacts/artifact-layout.ts'
import { type ConnectionLimits, createConnectionLimiter } from '../connection-limits.ts'
import { phpRequestSeconds } from '../fastcgi/php-limits.ts'
import type { Log } from '../log.ts'
import { limitPipelining } from '../pipelining.ts'
import { isSiteCall, siteCallAddress } from '../site-calls.ts'
import { limitUnreadBody } from '../unread-body.ts'
import { createConsoleForwarder, type GatewayConsole } from './console.ts'
import { Exchange, type SiteRoute } from './exchange.ts'
import { createPhpSites } from './fastcgi/php-sites.ts'
import {
  claimsHealthCheck,
  finishedRequest,
  isHealthCheck,
  type OnRequest,
  type Visitor,
  visitorOf,
} from './finished-request.ts'
import { recordResponse } from './gateway.metrics.ts'
import { clientAddress, connectedAddress, countHosts, hasBody } from './headers.ts'
import { createHttp2Server } from './http2/http2-server.ts'
import { type Addresses, redirectOf, sendRedirect, setHsts } from './https.ts'
import { createLeases, type LeaseOptions } from './leases.ts'
import { createOwnPaths, type OwnPaths } from './own-paths.ts'
import { createPools, type Site, type SiteAddress } from './pools.ts'
import { offlineProblem, sendProblem } from './problem-pages.ts'
import { createReplacementWaits } from './replacement-waits.ts'
import { createStaticFiles } from './static/static-files.ts'
import { type Protocol, readTarget, type Target } from './target.ts'
import type { Certificates } from './tls/certificates.ts'
import { hostOfServerName } from './tls/secure-contexts.ts'
import { createSelfSigned } from './tls/self-signed.ts'
import { createTlsListener, type TlsListener } from './tls/tls-listener.ts'
import { isUpgrade, upgrade } from './upgrade.ts'

export type Routes = {
  /** Called per request, with a lower-case host without port and trailing dot. */
  find(host: string): SiteRoute | undefined
}

export type GatewayOptions = {
  routes: Routes
  /** Where a site accepts requests; from the hosting engine. */
  addressOf: (site: Site) => SiteAddress
  artifactFiles: (artifact: string) => ArtifactFiles
  host: string
  port: number
  /** A listening socket that another process opened, instead of host and port. */
  fd?: number | undefined
  /** The parent domain of all sites. No site sets cookies for it or its parents. */
  sitesDomain: string
  /** `https` when a proxy in front of the gateway terminates TLS. `http` by default. */
  protocol?: Protocol
  /** The TLS listener, besides the listener at `port`; undefined: no TLS. */
  tls?: GatewayTls | undefined
  /** The ports that visitors use, if not the defaults of http and https. */
  publicPorts?: Addresses['ports'] | undefined
  /** The paths to which the gateway itself responds, at every host. */
  ownPaths?: OwnPaths | undefined
  console?: GatewayConsole | undefined
  log: Log
  /** Timeout for the response headers of a site, in milliseconds. 30 s by default. */
  responseTimeoutMs?: number | undefined
  /** The same for a PHP site: five minutes by default, the longest time of a request. */
  phpTimeoutMs?: number | undefined
  /** How long a request waits for another pod of its site, in milliseconds. 10 s by default. */
  replacementMs?: number | undefined
  /** How sites that sleep are woken. Without it no site sleeps. */
  sleep?: LeaseOptions | undefined
  connections?: ConnectionLimits
  /** Called for each request when it begins. Returns at once and never throws. */
  onStart?: ((request: IncomingMessage) => void) | undefined
  /** Called for each request to a site when it has ended. */
  onRequest?: OnRequest | undefined
  /** Called with a FastCGI program's error output. Returns at once and never throws. */
  onErrorOutput?: ((key: string, text: string) => void) | undefined
}

export type GatewayTls = {
  port: number
  /** A listening socket that another process opened, instead of host and port. */
  fd?: number | undefined
  certificates: Certificates
  handshakeMs?: number
  handshakesAtOnce?: number
}

export type Gateway = {
  /** Resolves with the ports it listens on; rejects when one is in use. */
  listen(): Promise<{ port: number; tlsPort: number | undefined }>
  /** Ends each connection after its response, so that visitors connect to another gateway. */
  drain(): void
  /** Stops accepting connections and lets current responses finish for up to 10 seconds. */
  close(): Promise<void>
}

const drainMs = 10_000
/** How long an open connection may still send its first or next request when closing. */
const lastRequestMs = 500
/** Disconnects visitors that neither send nor read, in milliseconds. */
const inactivityMs = 600_000
/** How long a visitor may read the response to a rejected upgrade, in milliseconds. */
const lingerMs = 1_000

// Timeouts for clients that send slowly or not at all.
const serverOptions = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 15_000,
  requestTimeout: 600_000,
  keepAliveTimeout: 60_000,
  connectionsCheckingInterval: 5_000,
  // A request without Host gets the gateway's own error page.
  requireHostHeader: false,
}

/**
 * Ends a connection that Node has detached. Unread bytes are dropped, because closing with them
 * resets the connection and loses the response (RFC 9112 §9.6).
 */
const endDetached = (socket: Socket) => {
  socket.end()
  socket.resume()
  const linger = setTimeout(() => socket.destroy(), lingerMs)
  socket.once('close', () => clearTimeout(linger))
}

const isEncrypted = (socket: Duplex) => (socket as Partial<TLSSocket>).encrypted === true

/** `https` if TLS ends at the gateway; undefined if a proxy may be in front. */
const protocolOf = ({ socket }: IncomingMessage): Protocol | undefined =>
  isEncrypted(socket) ? 'https' : undefined

/** The owner of connections to the console; the owner of connections to a site is its key. */
const consoleOwner = Symbol('the console')

/** Makes the browser repeat the request over a separate connection (RFC 9110 §15.5.20). */
function sendMisdirected(request: IncomingMessage, response: ServerResponse) {
  if (hasBody(request)) response.shouldKeepAlive = false
  response.writeHead(421, { 'content-length': 0 }).end()
}

/** A reverse proxy that routes each request to the site of its host name. */
export const createGateway = (options: GatewayOptions): Gateway => {
  const { fd, routes, addressOf, artifactFiles, host, port, protocol = 'http', log } = options
  const { sitesDomain, responseTimeoutMs = 30_000, onRequest, onErrorOutput } = options
  const { phpTimeoutMs = phpRequestSeconds * second } = options
  const isProxy = options.connections?.isProxy ?? (() => false)
  const pools = createPools(addressOf, responseTimeoutMs)
  const files = createStaticFiles(artifactFiles, log)
  const beginWait = createReplacementWaits({ addressOf, timeoutMs: options.replacementMs })
  const phpSites = createPhpSites({
    files,
    addressOf,
    sitesDomain,
    responseTimeoutMs: phpTimeoutMs,
    onErrorOutput,
    log,
  })
  const leases = options.sleep && createLeases(options.sleep, log)
  const ownPaths = options.ownPaths && createOwnPaths({ ...options.ownPaths, sitesDomain }, log)
  const addresses: Addresses = {
    ports: options.publicPorts ?? { http: 80, https: 443 },
    hasHttps: (name) =>
      name === options.console?.host ||
      (options.tls ? options.tls.certificates.find(name) !== undefined : protocol === 'https'),
  }
  const consoleServer = options.console?.server
  const localConsole = consoleServer instanceof URL ? undefined : consoleServer
  const consoleForwarder =
    consoleServer instanceof URL ? createConsoleForwarder(consoleServer, log) : undefined
  const isForConsole = ({ host, protocol }: Target) =>
    host === options.console?.host && protocol === 'https'
  /** The owner of a host name; undefined for a name without one, such as the gateways' own. */
  const ownerOf = (name: string) =>
    name === options.console?.host ? consoleOwner : routes.find(name)?.key

  /** True if this is the address from which a site calls itself, and the host is the site's. */
  const isOwnCall = (address: string, host: string) => {
    const key = routes.find(host)?.key
    return key !== undefined && siteCallAddress(key) === address
  }

  /**
   * True for a request to one owner's host over a connection to another owner's host, which could
   * hide the request (RFC 9110 §7.4). Browsers share connections of one certificate.
   */
  const isMisdirected = (request: IncomingMessage, { host }: Target) => {
    const address = connectedAddress(request)
    if (isSiteCall(address)) return !isOwnCall(address, host)
    const { servername } = request.socket as Partial<TLSSocket>
    if (!options.tls || !servername) return false
    const name = hostOfServerName(servername)
    if (name === host) return false
    const owner = ownerOf(name)
    if (owner === undefined || owner === ownerOf(host)) return false
    const { certificates } = options.tls
    return certificates.find(name)?.etag !== certificates.find(host)?.etag
  }
  const upgraded = new Set<Duplex>()
  let draining = false
  let endsIdle = false

  const targetOf = (request: IncomingMessage): Target | null => {
    const { url = '', headers, rawHeaders } = request
    return readTarget(
      url,
      headers.host,
      countHosts(rawHeaders),
      protocolOf(request) ?? protocol,
      clientAddress(request, isProxy),
    )
  }

  const report = (
    request: IncomingMessage,
    visitor: Visitor,
    response: Pick<ServerResponse, 'statusCode'>,
    target: Target | null,
    route: SiteRoute | undefined,
    startedAt: number,
  ) => {
    const duration = performance.now() - startedAt
    recordResponse(response, duration)
    if (!onRequest || !target || !route) return
    const finished = finishedRequest(request, visitor, response, target, route, duration)
    if (finished) onRequest(finished)
  }

  const forward = (
    request: IncomingMessage,
    response: ServerResponse,
    target: Target,
    route: SiteRoute,
  ) => {
    const { php } = route
    const mayWait = () =>
      !response.destroyed &&
      routes.find(target.host)?.state === 'ready' &&
      // The checks of an engine, also on another machine, are for the current pods.
      !claimsHealthCheck(request)
    const wait = () => beginWait(route, mayWait)
    if (php) {
      void phpSites.send(request, response, target, { ...route, php }, wait)
      return
    }
    const pool = () => pools.of(route)
    const exchange = new Exchange(request, response, target, route, pool, wait, sitesDomain, log)
    response.once('close', () => exchange.onVisitorClose())
    exchange.send()
  }

  /**
   * Calls `send` once the site is awake, or sends an error page. The body of a waiting request
   * stays unread. The lease ends when `connection` closes.
   */
  const whenAwake = (
    request: IncomingMessage,
    response: ServerResponse,
    connection: NodeJS.EventEmitter,
    target: Target,
    route: SiteRoute,
    send: (route: SiteRoute) => void,
  ) => {
    // A site that calls itself would never sleep.
    if (!leases || isSiteCall(connectedAddress(request))) return send(route)
    const lease = leases.enter(route)
    connection.once('close', () => leases.leave(lease))
    if (leases.isValid(lease)) return send(route)
    void leases.waitUntilAwake(lease).then((result) => {
      if (response.destroyed || response.socket?.destroyed) return
      // The site may have been stopped, moved or deleted since.
      const current = routes.find(target.host)
      if (!current) return sendProblem(request, response, 'site_not_found', target.host)
      const offline = offlineProblem(current.state)
      if (offline) return sendProblem(request, response, offline, target.host, current.key)
      if (current.key === route.key && current.cluster !== route.cluster)
        return whenAwake(request, response, connection, target, current, send)
      if (result === 'awake' || result === 'unknown') return send(current)
      const isDown = result === 'not_running' && current.state === 'ready'
      const problem = isDown ? 'site_unreachable' : 'site_starting'
      sendProblem(request, response, problem, target.host)
    })
  }

  /** Redirects a request to another address if required; returns whether it did. */
  const redirect = (
    request: IncomingMessage,
    response: ServerResponse,
    visitor: Visitor,
    target: Target,
    route: SiteRoute | undefined,
  ): boolean => {
    setHsts(response, target, route)
    const redirection = redirectOf(target, route, addresses)
    // The engine checks sites over http.
    if (!redirection || isHealthCheck(request, visitor)) return false
    sendRedirect(request, response, redirection, route?.key)
    return true
  }

  const serveConsole = (request: IncomingMessage, response: ServerResponse, target: Target) => {
    if (localConsole) localConsole.server.emit('request', request, response)
    else consoleForwarder?.send(request, response, target)
  }

  const serveSite = (
    request: IncomingMessage,
    response: ServerResponse,
    visitor: Visitor,
    target: Target,
    route: SiteRoute | undefined,
  ) => {
    if (redirect(request, response, visitor, target, route)) return
    if (!route) return sendProblem(request, response, 'site_not_found', target.host)
    const { key, artifact, php, state } = route
    const offline = offlineProblem(state)
    if (offline) return sendProblem(request, response, offline, target.host, key)
    if (artifact === null && !php)
      return sendProblem(request, response, 'site_empty', target.host, key)
    if (typeof artifact === 'string' && !php) {
      void files.send(request, response, target, { key, artifact })
      return
    }
    whenAwake(request, response, response, target, route, (current) =>
      forward(request, response, target, current),
    )
  }

  const handle = (request: IncomingMessage, response: ServerResponse) => {
    if (draining) response.shouldKeepAlive = false
    options.onStart?.(request)
    const startedAt = performance.now()
    const visitor = visitorOf(request)
    const target = targetOf(request)
    if (target && isMisdirected(request, target)) return sendMisdirected(request, response)
    if (target && isForConsole(target)) {
      const serve = () => serveConsole(request, response, target)
      if (ownPaths) ownPaths.send(request, response, target, serve)
      else serve()
      return
    }
    const route = target ? routes.find(target.host) : undefined
    response.once('close', () => {
      report(request, visitor, response, target, route, startedAt)
      if (endsIdle) server.closeIdleConnections()
    })
    if (!target) return sendProblem(request, response, 'malformed_request')
    const serve = () => serveSite(request, response, visitor, target, route)
    if (ownPaths) ownPaths.send(request, response, target, serve)
    else serve()
  }

  const shouldUpgradeCallback = (request: IncomingMessage) => {
    const target = localConsole && targetOf(request)
    return target && isForConsole(target) ? localConsole.mayUpgrade(request) : isUpgrade(request)
  }

  const server = createServer({ ...serverOptions, shouldUpgradeCallback }, limitPipelining(handle))
  server.on('request', limitUnreadBody)
  server.setTimeout(inactivityMs)
  // An error such as EMFILE would end the process if it had no listener.
  server.once('listening', () =>
    server.on('error', (err) => log.error({ err }, 'A connection was not accepted')),
  )
  const limiter = options.connections && createConnectionLimiter(options.connections, log)
  limiter?.trackRequests(server)
  server.on('connection', (socket) => {
    // A TLS connection was counted before its handshake.
    if (!isEncrypted(socket)) limiter?.count(socket)
  })
  const http2 = createHttp2Server(
    handle,
    { ...serverOptions, inactivityTimeout: inactivityMs },
    limiter,
  )
  let tlsListener: TlsListener | undefined

  async function listenForTls({ port, fd, ...tls }: GatewayTls) {
    const selfSigned = await createSelfSigned(new Date())
    tlsListener = createTlsListener(
      { ...tls, selfSigned, port, host, fd },
      { h2: http2.accept, 'http/1.1': (socket) => server.emit('connection', socket) },
      limiter,
      log,
    )
    return tlsListener.listen()
  }

  server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    const startedAt = performance.now()
    const visitor = visitorOf(request)
    const target = targetOf(request)
    const isElsewhere = target !== null && isMisdirected(request, target)
    if (localConsole && target && isForConsole(target) && !isElsewhere) {
      localConsole.server.emit('upgrade', request, socket, head)
      return
    }
    upgraded.add(socket)
    // The listeners of TLS, HTTP and both pipes are more than the ten above which Node warns.
    socket.setMaxListeners(20)
    socket.once('close', () => upgraded.delete(socket))
    // Node has detached this socket; an error closes it.
    socket.on('error', (error) => log.info({ reason: error.message }, 'A visitor disconnected'))

    const response = new ServerResponse(request)
    response.shouldKeepAlive = false
    response.assignSocket(socket)
    response.once('finish', () => endDetached(socket))
    socket.setTimeout(inactivityMs, () => socket.destroy())

    if (isElsewhere) return sendMisdirected(request, response)
    const route = target ? routes.find(target.host) : undefined
    if (consoleForwarder && target && isForConsole(target)) {
      consoleForwarder.upgrade(request, response, socket, head, target)
      return
    }
    socket.once('close', () => {
      // The response object of an upgraded connection has no status.
      const statusCode = response.headersSent ? response.statusCode : 101
      report(request, visitor, { statusCode }, target, route, startedAt)
    })
    if (!target) return sendProblem(request, response, 'malformed_request')
    if (redirect(request, response, visitor, target, route)) return
    if (!route) return sendProblem(request, response, 'site_not_found', target.host)
    const offline = offlineProblem(route.state)
    if (offline) return sendProblem(request, response, offline, target.host)
    if (route.artifact !== undefined || route.php)
      return sendProblem(request, response, 'malformed_request', target.host)
    whenAwake(request, response, socket, target, route, (current) => {
      const mayWait = () => !socket.destroyed && routes.find(target.host)?.state === 'ready'
      const site = {
        route: current,
        address: () => addressOf(current),
        nextAttempt: beginWait(current, mayWait),
        responseTimeoutMs,
        sitesDomain,
      }
      upgrade(request, response, socket, head, target, site, log)
    })
  })

  const listen = () =>
    new Promise<AddressInfo>((resolve, reject) => {
      server.once('error', reject)
      server.listen(fd === undefined ? { port, host } : { fd }, () => {
        server.off('error', reject)
        resolve(server.address() as AddressInfo)
      })
    })

  const drain = () => {
    draining = true
    http2.closeIdle()
  }

  return {
    drain,
    async listen() {
      const { port } = await listen()
      const tlsAddress = options.tls && (await listenForTls(options.tls))
      return { port, tlsPort: tlsAddress?.port }
    },

    async close() {
      drain()
      // The `close` of `net`: http's would reset connections whose request is still arriving.
      const closed = new Promise<void>((resolve) =>
        NetServer.prototype.close.call(server, () => resolve()),
      )
      const tlsClosed = tlsListener?.close()
      const idleTimer = setTimeout(() => {
        endsIdle = true
        server.close()
        // Connections whose handshake has completed since.
        http2.closeIdle()
        tlsListener?.endHandshakes()
      }, lastRequestMs)
      for (const socket of upgraded) socket.destroy()
      const timer = setTimeout(() => {
        server.closeAllConnections()
        http2.closeAll()
      }, drainMs)
      await Promise.all([closed, tlsClosed])
      clearTimeout(timer)
      clearTimeout(idleTimer)
      server.close()
      http2.closeAll()
      leases?.close()
      await Promise.all([pools.close(), consoleForwarder?.close()])
    },
  }
}
