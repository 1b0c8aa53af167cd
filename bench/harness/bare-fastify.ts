import { createRequire } from 'node:module'

type BareServer = {
  get(path: string, handler: () => Promise<unknown>): void
  listen(options: { port: number; host: string }): Promise<string>
}

// Resolved from the server: the benchmarks measure its version of Fastify and install none.
const requireFromServer = createRequire(new URL('../../apps/server/package.json', import.meta.url))

/** A Fastify server without plugins or options. */
export const createBareServer: () => BareServer = requireFromServer('fastify')
