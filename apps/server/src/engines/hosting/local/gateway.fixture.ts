import { mkdir } from 'node:fs/promises'
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  request,
  type Server,
} from 'node:http'
import { connect, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import { createGateway, type Gateway, type GatewayOptions } from './gateway.ts'
import type { Route } from './gateway-exchange.ts'
import { createLayout } from './layout.ts'
import {
  createDataFolder,
  createLogBook,
  get,
  type LogLine,
  type Reply,
} from './local-engine.fixture.ts'

export type GatewayWorld = {
  gateway: Gateway
  port: number
  routes: Map<string, Route>
  lines: LogLine[]
  /** Puts a site behind `site.test`, run by this very process so that the test can watch it. */
  site(listener: RequestListener): Promise<Server>
  get(host: string, path?: string, headers?: Record<string, string>): Promise<Reply>
  /** Sends these bytes as they are, and gives everything that comes back until the connection ends. */
  raw(text: string): Promise<string>
  open(): Promise<Socket>
}

/** A gateway in front of no site yet, closed after the test. */
export const startGateway = async (
  options: Pick<GatewayOptions, 'protocol' | 'answerTimeoutMs'> = {},
): Promise<GatewayWorld> => {
  const dataDir = await createDataFolder()
  const { log, lines } = createLogBook()
  const routes = new Map<string, Route>()
  const gateway = createGateway({
    routes: { find: (host) => routes.get(host) },
    dataDir,
    host: '127.0.0.1',
    port: 0,
    sitesDomain: 'test',
    log,
    ...options,
  })
  const { port } = await gateway.listen()
  onTestFinished(() => gateway.close())

  const open = () =>
    new Promise<Socket>((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => resolve(socket))
      socket.once('error', reject)
    })

  return {
    gateway,
    port,
    routes,
    lines,
    open,
    async site(listener) {
      const { socket, socketFolder } = createLayout(dataDir).site('site')
      await mkdir(socketFolder, { recursive: true })
      const server = createServer(listener)
      await new Promise<void>((resolve) => server.listen(socket, resolve))
      onTestFinished(() => {
        server.closeAllConnections()
        server.close()
      })
      routes.set('site.test', { key: 'site', state: 'ready' })
      return server
    },
    get: (host, path = '/', headers = {}) => get({ port }, path, { host, ...headers }),
    async raw(text) {
      const socket = await open()
      socket.write(text)
      return (await socket.toArray()).join('')
    },
  }
}

/** A request whose body and answer the test handles itself. */
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
  const answer = new Promise<IncomingMessage>((resolve, reject) => {
    outgoing.once('response', resolve)
    outgoing.once('error', reject)
  })
  return { outgoing, answer }
}
