import type { FastifyBaseLogger } from 'fastify'
import type { HostingEngine } from './engines/hosting/engine.ts'
import { createLocalEngine } from './engines/hosting/local/local-engine.ts'
import type { Env } from './env.ts'
export function createHosting(
  env: Env,
  log: FastifyBaseLogger,
): { engine: HostingEngine; gateway: (routes: object) => { listen(): Promise<void>; close(): Promise<void> } } {
  const address = { host: env.HOST, port: env.SITES_PORT }
  return {
    engine: createLocalEngine({ dataDir: env.DATA_DIR, gateway: address, log }),
    gateway: () => ({ listen: async () => undefined, close: async () => undefined }),
  }
}
