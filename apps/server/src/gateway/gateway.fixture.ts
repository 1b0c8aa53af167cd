import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  request,
  type Server,
} from 'node:http'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { createArtifactLayout } from '../artifacts/artifact-layout.ts'
import { createDataFolder } from '../testing/data-folder.ts'
import { type HttpReply, httpGet } from '../testing/http-get.ts'
import { createLogBook, type LogLine } from '../testing/log-book.ts'
import type { SiteRoute } from './exchange.ts'
import { createGateway, type Gateway, type GatewayOptions } from './gateway.ts'
import type { Site, SiteAddress } from './pools.ts'

export type GatewayWorld = {
  gateway: Gateway
  port: number
  /** 0 without TLS. */
  tlsPort: number
  folder: string
  routes: Map<string, SiteRoute>
  /** Addresses of sites, by key or `cluster/key`; without one, a socket in the data folder. */
  addresses: Map<string, SiteAddress>
  lines: LogLine[]
  /** Serves `site.test` from this process. */
  site(listener: RequestListener): Promise<Server>
  get(host: string, path?: string, headers?: Record<string, string>): Promise<HttpReply>
  /** Sends raw bytes and returns everything received until the connection ends. */
  raw(text: string): Promise<string>
  open(): Promise<Socket>
}

/** A gateway without sites, closed after the test. */
export const startGateway = async (
  options: Pick<
    GatewayOptions,
    | 'protocol'
    | 'responseTimeoutMs'
    | 'phpTimeoutMs'
    | 'replacementMs'
    | 'onRequest'
    | 'onErrorOutput'
    | 'sleep'
    | 'connections'
    | 'tls'
    | 'publicPorts'
    | 'ownPaths'
    | 'console'
  > = {},
): Promise<GatewayWorld> => {
  const folder = await createDataFolder()
  const addresses = new Map<string, SiteAddress>()
  const socketPath = (key: string) => join(folder, key)
  const addressOf = ({ key, cluster }: Site): SiteAddress => {
    const inCluster = addresses.get(`${cluster}/${key}`)
    const address = inCluster === undefined ? addresses.get(key) : inCluster
    if (address !== undefined) return address
    return { socketPath: socketPath(key), dataFolder: join(folder, `${key}-data`) }
  }
  const { log, lines } = createLogBook()
  const routes = new Map<string, SiteRoute>()
  const gateway = createGateway({
    routes: { find: (host) => routes.get(host) },
    addressOf,
    artifactFiles: createArtifactLayout(folder).artifact,
    host: '127.0.0.1',
    port: 0,
    sitesDomain: 'test',
    log,
    ...options,
  })
  const { port, tlsPort = 0 } = await gateway.listen()
  onTestFinished(() => gateway.close())

  const open = () =>
    new Promise<Socket>((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => resolve(socket))
      socket.once('error', reject)
    })

  return {
    gateway,
    port,
    tlsPort,
    folder,
    routes,
    addresses,
    lines,
    open,
    async site(listener) {
      const server = createServer(listener)
      await new Promise<void>((resolve) => server.listen(socketPath('site'), resolve))
      onTestFinished(() => {
        server.closeAllConnections()
        server.close()
      })
      routes.set('site.test', { key: 'site', cluster: 'local', state: 'ready' })
      return server
    },
    get: (host, path = '/', headers = {}) => httpGet({ port }, path, { host, ...headers }),
    async raw(text) {
      const socket = await open()
      socket.write(text)
      return (await socket.toArray()).join('')
    },
  }
}

/** A request whose body and response the test handles. */
export const openRequest = (
  port: number,
  method: string,
  path: string,
  headers: Record<string, string> = {},
) => {
  const outgoing = request({
    port,
    method,
    path,
    headers: { host: 'site.test', ...headers },
    agent: false,
  })
  const response = new Promise<IncomingMessage>((resolve, reject) => {
    outgoing.once('response', resolve)
    outgoing.once('error', reject)
  })
  return { outgoing, response }
}
