import { second } from '@slipway/contract/limits'
import type { FastifyBaseLogger } from 'fastify'
import type { ArtifactStore } from './artifacts/artifact-store.ts'
import type { ConnectionLimits } from './connection-limits.ts'
import type { HostingEngine } from './engines/hosting/engine.ts'
import { createLocalEngine } from './engines/hosting/local/local-engine.ts'
import type { Env } from './env/env.ts'
import { inheritedSocket } from './env/inherited-sockets.ts'
import type { OnRequest } from './gateway/finished-request.ts'
import { createGateway } from './gateway/gateway.ts'
import { createErrorLog } from './logs/error-log.ts'
import type { Logs } from './logs/logs.ts'

type Gateway = ReturnType<typeof createGateway>

export type Routes = Parameters<typeof createGateway>[0]['routes']

/** The configured hosting engine, and the site gateway. */
export function createHosting(
  env: Env,
  { artifacts, logs }: { artifacts: ArtifactStore; logs: Logs },
  log: FastifyBaseLogger,
  connections: ConnectionLimits,
): { engine: HostingEngine; gateway: (routes: Routes, onRequest: OnRequest) => Gateway } {
  const address = { host: env.HOST, port: env.SITES_PORT }
  const engine = createLocalEngine({
    dataDir: env.DATA_DIR,
    gateway: address,
    siteLimit: env.SITE_LIMIT,
    withoutSandbox: env.SANDBOX === 'off',
    sleepAfterMs: env.SLEEP_AFTER * second,
    consoleUrl: () => env.PUBLIC_URL,
    output: logs,
    log,
  })
  return {
    engine,
    gateway: (routes, onRequest) =>
      createGateway({
        ...address,
        fd: inheritedSocket('sites'),
        routes,
        log,
        connections,
        onRequest,
        onErrorOutput: createErrorLog(logs),
        addressOf: engine.addressOf,
        sleep:
          env.SLEEP_AFTER > 0
            ? { wake: engine.wake, leaseMs: env.SLEEP_AFTER * second }
            : undefined,
        artifactFiles: artifacts.filesOf,
        sitesDomain: env.SITES_DOMAIN,
        protocol: env.SITES_URL.startsWith('https:') ? 'https' : 'http',
      }),
  }
}
