import { onTestFinished } from 'vitest'
import type { HostingEngine, Instance } from '../engines/hosting/engine.ts'
import { createLayout } from '../engines/hosting/local/files/layout.ts'
import { createLocalEngine } from '../engines/hosting/local/local-engine.ts'
import type { LocalEngineOptions } from '../engines/hosting/local/local-engine-options.ts'
import { readProcessRecord } from '../engines/hosting/local/process/process-record.ts'
import type { SiteRoute } from '../gateway/exchange.ts'
import type { GatewayOptions } from '../gateway/gateway.ts'
import type { Certificates } from '../gateway/tls/certificates.ts'
import { createDataFolder } from './data-folder.ts'
import { createEngineGateway } from './engine-gateway.ts'
import { type HttpReply, httpGet } from './http-get.ts'
import { createLogBook, type LogLine } from './log-book.ts'
import { until } from './until.ts'

export type HostingWorld = {
  engine: HostingEngine
  dataDir: string
  lines: LogLine[]
  routes: Map<string, SiteRoute>
  port: number
  /** Undefined without certificates. */
  tlsPort: number | undefined
  /** Applies an instance, routes its hosts to it, and waits until it responds. */
  applyUntilHealthy(instance: Instance): Promise<void>
  /** The id of the process that serves the site. Rejects when none does. */
  pid(key: string): Promise<number>
  visit(key: string, path: string, headers?: Record<string, string>): Promise<HttpReply>
}

export type HostingWorldOptions = Partial<LocalEngineOptions> &
  Pick<GatewayOptions, 'responseTimeoutMs' | 'connections' | 'onRequest'> & {
    /** With them the gateway also serves TLS. */
    certificates?: Certificates
  }

/** An engine and a gateway on a data folder, both closed after the test. */
export const createHostingWorld = async ({
  responseTimeoutMs,
  connections,
  onRequest,
  certificates,
  ...options
}: HostingWorldOptions = {}): Promise<HostingWorld & { start: () => Promise<void> }> => {
  const dataDir = options.dataDir ?? (await createDataFolder())
  const { log, lines } = createLogBook()
  const routes = new Map<string, SiteRoute>()
  const gateway = createEngineGateway(dataDir, {
    routes: { find: (host) => routes.get(host) },
    log,
    responseTimeoutMs,
    connections,
    onRequest,
    tls: certificates && { port: 0, certificates },
    sleep: options.sleepAfterMs
      ? { wake: ({ key }) => engine.wake(key), leaseMs: options.sleepAfterMs }
      : undefined,
  })
  const { port, tlsPort } = await gateway.listen()
  const engine = createLocalEngine({
    dataDir,
    gateway: { host: '127.0.0.1', port },
    gatewayPorts: { publicPorts: { http: port, https: tlsPort ?? 443 }, tlsPort },
    log,
    ...options,
  })
  onTestFinished(async () => {
    await engine.close({ stopSites: true })
    await gateway.close()
  })

  const visit = (key: string, path: string, headers: Record<string, string> = {}) =>
    httpGet({ port }, path, { host: `${key}.localhost`, ...headers })

  return {
    engine,
    dataDir,
    lines,
    routes,
    port,
    tlsPort,
    visit,
    start: () => engine.start(),
    async applyUntilHealthy(instance) {
      for (const host of instance.hosts)
        routes.set(host, { key: instance.key, cluster: 'local', state: 'starting' })
      await engine.apply(instance, { mayCreate: true })
      await until(() => engine.isHealthy(instance))
    },
    async pid(key) {
      const { status } = await visit(key, '/healthz')
      const record = await readProcessRecord(createLayout(dataDir).site(key).process)
      if (status !== 200 || !record) throw new Error(`The site of ${key} does not respond`)
      return record.pid
    },
  }
}

/** A hosting world whose engine is started. */
export const startHostingWorld = async (
  options: HostingWorldOptions = {},
): Promise<HostingWorld> => {
  const world = await createHostingWorld(options)
  await world.start()
  return world
}
