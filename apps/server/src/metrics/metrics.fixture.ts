import type { Env } from '../env/env.ts'
import { freePort } from '../testing/free-port.ts'
import { httpGet } from '../testing/http-get.ts'
import type { World } from '../testing/world.ts'

/** Starts another server on the world's database, with all its ports. Reads its metrics port. */
export async function startWithMetrics(world: World, overrides: Partial<Env> = {}) {
  const port = await freePort()
  const app = await world.anotherApp({
    METRICS_PORT: port,
    PORT: await freePort(),
    SITES_PORT: await freePort(),
    ...overrides,
  })
  await app.start()
  const get = (path: string) => httpGet({ port }, path)
  return { app, get, scrape: async () => (await get('/metrics')).body }
}
