import { once } from 'node:events'
import { chmod, chown, mkdir, rm } from 'node:fs/promises'
import {
  createServer,
  type IncomingMessage,
  request as openRequest,
  type ServerResponse,
} from 'node:http'
import { connect, isIP, type LookupFunction, type Socket } from 'node:net'
import { join } from 'node:path'
import { type Duplex, pipeline } from 'node:stream'
import type { Log } from '../../../../log.ts'
import { isPublic } from '../../../../public-address.ts'
import type { Account } from '../machine/accounts.ts'
import { addressesOf } from './addresses.ts'
import { egressBytes, rejectedConnections } from './egress.metrics.ts'
import { createMailServer, mailSocket, type SendEmail } from './mail-socket.ts'
import type { FindOwnAddress, OwnAddress } from './own-address.ts'
import { type CreateServiceCalls, serviceHost } from './service-calls.ts'

export type Egress = {
  /**
   * Opens the proxy of a site and its socket for emails, in this folder. `findOwnAddress` finds
   * where the site's own names lead. Idempotent.
   */
  open(
    key: string,
    folder: string,
    account: Account | null,
    findOwnAddress: FindOwnAddress,
  ): Promise<void>
  close(key: string): Promise<void>
  closeAll(): Promise<void>
}

export type EgressOptions = {
  log: Log
  /** Whether a site may connect to an address; only public ones by default. */
  mayConnect?: ((address: string, port: number) => boolean) | undefined
  sendEmail: SendEmail
  serviceCalls: CreateServiceCalls
  /** The name servers for the names that sites connect to; the system's without any. */
  nameServers?: readonly string[] | undefined
}

/** The name of the socket in a site's folder. */
const egressSocket = 's'

const connectionsPerSite = 128
/**
 * Maximum concurrent calls of a site to itself. A site that calls itself in each call reaches it,
 * and still has connections for the internet.
 */
const ownCallsPerSite = connectionsPerSite / 2
const connectTimeoutMs = 10_000
const idleTimeoutMs = 300_000

/** Headers that concern one connection (RFC 9110 §7.6.1). */
const hopHeaders = new Set([
  'connection',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** A request that the proxy rejects, with the status of the response. */
class RejectedRequest extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

type Proxy = {
  server: ReturnType<typeof createServer>
  mail: ReturnType<typeof createMailServer>
  sockets: Set<Duplex>
  findOwnAddress: FindOwnAddress
  /** Calls of the site to itself that have not ended. */
  ownCalls: number
  /** Look-ups for forwarded requests, which continue after the site has disconnected. */
  lookUps: number
}

/** Where a host leads: its checked addresses, for `connect` and `request`. */
type Destination = OwnAddress & { lookup?: LookupFunction; autoSelectFamily?: true }

/**
 * The access of sites to the internet: an HTTP proxy on a Unix socket for each (CONNECT, requests
 * in absolute form, and PHP streams' requests with the host only in a header), which also takes
 * their calls to the login provider. Names are resolved here, and connections go to the checked
 * addresses: a later response of a name server has no effect.
 */
export function createEgress(options: EgressOptions): Egress {
  const { log, mayConnect = isPublic, sendEmail, serviceCalls, nameServers = [] } = options
  const proxies = new Map<string, Proxy>()

  /** Resolves a host that a site may connect to. Throws a `RejectedRequest`. */
  async function resolve(host: string, port: number): Promise<Destination> {
    // Other spellings of an address, such as 0x7f.1, become the usual one.
    const name = (URL.parse(`http://${host}`)?.hostname ?? host).replace(/^\[(.*)\]$/, '$1')
    const rejectAddress = () => {
      rejectedConnections.inc()
      return new RejectedRequest(403, `${name}:${port} is not on the internet`)
    }
    // A name without a dot, such as localhost, is one of this machine or its network.
    if (port < 1 || port > 65_535 || (isIP(name) === 0 && !name.includes('.')))
      throw rejectAddress()
    const addresses = isIP(name)
      ? [{ address: name, family: isIP(name) }]
      : await addressesOf(name, nameServers)
    if (addresses.length === 0) throw new RejectedRequest(502, `${name} has no address`)
    // A name with even one closed address is an attack or a mistake.
    if (!addresses.every(({ address }) => mayConnect(address, port))) throw rejectAddress()
    const lookup: LookupFunction = (_name, _options, done) => done(null, addresses)
    return { host: name, port, lookup, autoSelectFamily: true }
  }

  /** Counts a site's call to itself until it closes. Throws a `RejectedRequest` above the limit. */
  function countOwnCall(proxy: Proxy, call: Duplex | ServerResponse) {
    if (proxy.ownCalls >= ownCallsPerSite)
      throw new RejectedRequest(503, `A site calls itself at most ${ownCallsPerSite} times at once`)
    proxy.ownCalls += 1
    call.once('close', () => {
      proxy.ownCalls -= 1
    })
  }

  /** Counts a look-up until it ends. Throws a `RejectedRequest` above the limit. */
  async function countLookUp<T>(proxy: Proxy, lookUp: () => Promise<T>): Promise<T> {
    if (proxy.lookUps >= connectionsPerSite)
      throw new RejectedRequest(503, `A site looks up at most ${connectionsPerSite} names at once`)
    proxy.lookUps += 1
    try {
      return await lookUp()
    } finally {
      proxy.lookUps -= 1
    }
  }

  const dial = (destination: Destination) =>
    new Promise<Socket>((resolve, reject) => {
      const { host, port } = destination
      const socket = connect({ ...destination, timeout: connectTimeoutMs, noDelay: true })
      const fail = (error: Error) => {
        socket.destroy()
        reject(new RejectedRequest(502, error.message))
      }
      socket.once('error', fail)
      socket.once('timeout', () => fail(new Error(`${host}:${port} does not respond`)))
      socket.once('connect', () => {
        socket.off('error', fail)
        socket.removeAllListeners('timeout')
        socket.setTimeout(idleTimeoutMs, () => socket.destroy())
        resolve(socket)
      })
    })

  /** Counts the traffic of a connection that has closed. */
  const count = ({ bytesWritten, bytesRead }: Socket) => {
    egressBytes.inc({ direction: 'sent' }, bytesWritten)
    egressBytes.inc({ direction: 'received' }, bytesRead)
  }

  async function tunnel(key: string, proxy: Proxy, url: string, site: Duplex, head: Buffer) {
    const { sockets, findOwnAddress } = proxy
    const [, host = '', port = ''] = /^(.+):(\d{1,5})$/.exec(url) ?? []
    try {
      const ownAddress = await findOwnAddress(host, Number(port))
      if (site.destroyed) return
      if (ownAddress) countOwnCall(proxy, site)
      const remote = await dial(ownAddress ?? (await resolve(host, Number(port))))
      if (site.destroyed) {
        remote.destroy()
        return
      }
      sockets.add(remote)
      site.write('HTTP/1.1 200 Connection established\r\n\r\n')
      if (head.length > 0) remote.write(head)
      pipeline(site, remote, () => undefined)
      pipeline(remote, site, () => undefined)
      remote.once('close', () => {
        sockets.delete(remote)
        if (!ownAddress) count(remote)
        site.destroy()
      })
      site.once('close', () => remote.destroy())
    } catch (error) {
      if (!(error instanceof RejectedRequest)) throw error
      log.info({ key, host, port, reason: error.message }, 'A connection of a site was rejected')
      const text = `${error.message}\n`
      site.end(
        `HTTP/1.1 ${error.status} Refused\r\nContent-Length: ${Buffer.byteLength(text)}\r\nConnection: close\r\n\r\n${text}`,
      )
    }
  }

  async function forward(
    key: string,
    proxy: Proxy,
    incoming: IncomingMessage,
    response: ServerResponse,
  ) {
    const { findOwnAddress } = proxy
    const url = URL.parse(incoming.url ?? '', `http://${incoming.headers.host}`)
    const reject = ({ status, message }: RejectedRequest) => {
      log.info({ key, url: url?.host, reason: message }, 'A connection of a site was rejected')
      incoming.resume()
      if (response.headersSent) response.destroy()
      else response.writeHead(status, { connection: 'close' }).end(`${message}\n`)
    }
    if (url?.protocol !== 'http:') {
      reject(new RejectedRequest(400, 'Only requests over http are forwarded; https needs CONNECT'))
      return
    }
    const port = Number(url.port || 80)
    try {
      const found = await countLookUp(proxy, async () => {
        const ownAddress = await findOwnAddress(url.hostname, port)
        if (response.destroyed) return null
        if (ownAddress) countOwnCall(proxy, response)
        return { ownAddress, destination: ownAddress ?? (await resolve(url.hostname, port)) }
      })
      if (!found || response.destroyed) return
      const { ownAddress, destination } = found
      const headers = Object.entries(incoming.headers).filter(([name]) => !hopHeaders.has(name))
      const outgoing = openRequest({
        ...destination,
        method: incoming.method,
        path: `${url.pathname}${url.search}`,
        headers: { ...Object.fromEntries(headers), host: url.host },
        agent: false,
        timeout: idleTimeoutMs,
      })
      outgoing.once('timeout', () => outgoing.destroy(new Error('timeout')))
      outgoing.once('error', (error) => reject(new RejectedRequest(502, error.message)))
      outgoing.once('response', (remoteResponse) => {
        const { statusCode = 0 } = remoteResponse
        // Node accepts any three digits, and a 101 although the site cannot request an upgrade.
        if (statusCode < 200) {
          reject(new RejectedRequest(502, `${url.host} sent an invalid status`))
          return
        }
        const forwardedHeaders = Object.entries(remoteResponse.headers).filter(
          ([name]) => !hopHeaders.has(name),
        )
        response.writeHead(statusCode, Object.fromEntries(forwardedHeaders))
        pipeline(remoteResponse, response, () => undefined)
      })
      outgoing.once('close', () => {
        const { socket } = outgoing
        if (socket && !ownAddress) count(socket)
      })
      response.once('close', () => outgoing.destroy())
      pipeline(incoming, outgoing, () => undefined)
    } catch (error) {
      if (!(error instanceof RejectedRequest)) throw error
      reject(error)
    }
  }

  function createProxy(key: string, findOwnAddress: FindOwnAddress): Proxy {
    const proxy: Proxy = {
      server: createServer({ keepAliveTimeout: 5_000 }),
      mail: createMailServer(key, sendEmail, log),
      sockets: new Set(),
      findOwnAddress,
      ownCalls: 0,
      lookUps: 0,
    }
    const { server, mail, sockets } = proxy
    const onFailure = (err: unknown) => log.error({ key, err }, 'The proxy of a site failed')
    const respondToCall = serviceCalls(key)
    server.maxConnections = connectionsPerSite
    for (const each of [server, mail])
      each.on('connection', (socket: Duplex) => {
        sockets.add(socket)
        socket.once('close', () => sockets.delete(socket))
      })
    server.on('connect', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      // Node has detached this socket; an error closes it.
      socket.on('error', () => undefined)
      // Node warns of more than ten listeners, and HTTP and both pipes add more.
      socket.setMaxListeners(20)
      tunnel(key, proxy, request.url ?? '', socket, head).catch(onFailure)
    })
    server.on('request', (request, response) => {
      // Sent before the response to the previous one: each would open a connection of its own.
      if (!response.socket) {
        request.socket.destroy()
        return
      }
      const isServiceCall = request.url?.startsWith('/') && request.headers.host === serviceHost
      if (isServiceCall) respondToCall(request, response)
      else forward(key, proxy, request, response).catch(onFailure)
    })
    server.on('error', onFailure)
    mail.on('error', onFailure)
    return proxy
  }

  async function listen({ server, mail }: Proxy, folder: string, account: Account | null) {
    await mkdir(folder, { recursive: true })
    await chmod(folder, account ? 0o711 : 0o700)
    const sockets = [
      [egressSocket, server],
      [mailSocket, mail],
    ] as const
    for (const [name, each] of sockets) {
      const path = join(folder, name)
      await rm(path, { force: true })
      // Rejects when the socket cannot be bound.
      await once(each.listen(path), 'listening')
      await chmod(path, 0o600)
      if (account) await chown(path, account.uid, account.gid)
    }
  }

  async function close(key: string) {
    const proxy = proxies.get(key)
    if (!proxy) return
    proxies.delete(key)
    const closed = [proxy.server, proxy.mail].map(
      (server) => new Promise((resolve) => server.close(resolve)),
    )
    for (const socket of proxy.sockets) socket.destroy()
    await Promise.all(closed)
  }

  return {
    async open(key, folder, account, findOwnAddress) {
      if (proxies.has(key)) return
      const proxy = createProxy(key, findOwnAddress)
      proxies.set(key, proxy)
      try {
        await listen(proxy, folder, account)
      } catch (error) {
        // Otherwise the next call would find it open.
        await close(key)
        throw error
      }
    },
    close,
    closeAll: async () => {
      await Promise.all([...proxies.keys()].map(close))
    },
  }
}
