import { once } from 'node:events'
import type { AddressInfo, Server } from 'node:net'
import { createPersonalToken } from '@slipway/contract/personal-tokens'
import { createProject } from '@slipway/contract/projects'
import { listReleases } from '@slipway/contract/releases'
import type { Runtime } from '@slipway/contract/runtimes'
import type { Env } from '../../server/src/env/env.ts'
import { httpGet } from '../../server/src/testing/http-get.ts'
import { createWorld } from '../../server/src/testing/world.ts'

export type CliWorld = Awaited<ReturnType<typeof createCliWorld>>

/** A service that runs sites and accepts archives of up to 1 MB, and a user. */
export async function createCliWorld(overrides: Partial<Env> = {}) {
  const settings = { PROJECT_LIMIT: 100, RELEASE_MAX_MB: 1, ...overrides }
  const world = await createWorld(settings, new Date())
  const owner = await world.user({ name: 'Ada Lovelace' })
  const url = `http://localhost:${await world.listen()}`
  await world.host()
  await world.startWorkers()

  /** A project, static by default, and a token that may use only it. */
  async function newSite(name = 'Example site', runtime: Runtime = 'static') {
    const { id, key } = await owner.call(createProject, {
      body: { name, teamId: owner.teamId, regionId: 'eu', domain: null, runtime },
    })
    world.clock.forward(60_000)
    const { token, personalToken } = await owner.call(createPersonalToken, {
      body: { name: 'Test', projectIds: [id] },
    })
    const visit = async (path = '/') =>
      (await httpGet({ port: world.env.SITES_PORT }, path, { host: `${key}.localhost` })).body
    const releases = async () =>
      (await owner.call(listReleases, { params: { id }, query: {} })).items
    return {
      id,
      key,
      token,
      tokenId: personalToken.id,
      env: { SLIPWAY_TOKEN: token },
      visit,
      releases,
    }
  }
  return { world, owner, url, newSite, close: () => world.close() }
}

export async function listenOnLoopback(server: Server) {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return (server.address() as AddressInfo).port
}
