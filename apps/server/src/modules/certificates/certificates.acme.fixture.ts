import { X509Certificate } from 'node:crypto'
import type { ProjectId } from '@slipway/contract/projects'
import type { Context } from '../../context.ts'
import type { Env } from '../../env/env.ts'
import { createWorld } from '../../testing/world.ts'
import { createChallenges } from './certificates.challenges.ts'
import * as orders from './certificates.orders.store.ts'
import { processCertificate } from './certificates.process.ts'
import { acmeAccounts } from './certificates.schema.ts'
import { drop, requestForProject, statusByHost } from './certificates.service.ts'
import { listByHosts } from './certificates.store.ts'
import { openCertificate } from './certificates.with-key.ts'
import { startAcmeProxy, startChallengeServer, startPebble } from './pebble.fixture.ts'

export type AcmeWorld = Awaited<ReturnType<typeof createAcmeWorld>>

/**
 * The service with Pebble as its CA, behind a proxy that a test controls. The clock starts now, as
 * Pebble's does.
 */
export async function createAcmeWorld(
  overrides: Partial<Env> = {},
  pebbleOptions: Omit<Parameters<typeof startPebble>[0], 'httpPort'> = {},
) {
  let findResponse: (host: string, token: string) => Promise<string | null> = async () => null
  const challenges = await startChallengeServer((host, token) => findResponse(host, token))
  const pebble = await startPebble({
    httpPort: challenges.port,
    ...pebbleOptions,
    pebble: { certificateValidityPeriod: 90 * 24 * 3600, ...pebbleOptions.pebble },
  })
  const ca = await startAcmeProxy(pebble)
  const world = await createWorld(
    { ACME_DIRECTORY: ca.directory, ACME_CA_FILE: pebble.caFile, ...overrides },
    new Date(),
  )
  const { ctx } = world
  const findStored = createChallenges(ctx).find
  findResponse = findStored
  const owner = await world.user()
  const project = await world.project({ teamId: owner.teamId })
  let hostCount = 0

  const rowOf = async (host: string) => {
    const [row] = await listByHosts(ctx.db, [host])
    if (!row) throw new Error(`${host} has no certificate`)
    return row
  }
  const request = (host: string, projectId: ProjectId = project.id) =>
    ctx.write((tx) => requestForProject(ctx, tx, { host, projectId }))
  const process = async (host: string, workerCtx: Context = ctx) =>
    processCertificate(workerCtx, (await rowOf(host)).id)
  const statusOf = async (host: string) => {
    const status = (await statusByHost(ctx.db, [host], world.clock.now())).get(host)
    if (!status) throw new Error(`${host} has no certificate`)
    return status
  }

  return {
    ...world,
    world,
    pebble,
    ca,
    owner,
    project,
    newHost: () => `shop-${++hostCount}.example`,
    rowOf,
    statusOf,
    request,
    process,
    /** Requests a certificate and processes it once; returns its status. */
    async order(host: string) {
      await request(host)
      await process(host)
      return statusOf(host)
    },
    drop: (host: string) => ctx.write((tx) => drop(ctx, tx, host)),
    ordersOf: (host: string, directory = ca.directory) =>
      orders.listOfHost(ctx.db, host, directory, new Date(0)),
    async leafOf(host: string) {
      const { chain } = openCertificate(ctx.sealing, await rowOf(host))
      return new X509Certificate(chain[0] ?? '')
    },
    /** Replaces the hosts' responses to challenges, until `reset`. */
    setChallengeResponse(next: typeof findResponse) {
      findResponse = next
    },
    /**
     * Resets the CAs: the hosts respond to challenges, and no CA is paused. Our clock, which stands
     * still, catches up with the CA's.
     */
    async reset() {
      ca.reset()
      findResponse = findStored
      world.clock.forward(Date.now() - world.clock.now().getTime())
      await ctx.db.update(acmeAccounts).set({ pausedUntil: null, failures: 0 })
    },
    /** Runs the work with the clock moved forward. */
    async later<Result>(milliseconds: number, work: () => Promise<Result>): Promise<Result> {
      world.clock.forward(milliseconds)
      try {
        return await work()
      } finally {
        world.clock.forward(-milliseconds)
      }
    },
    async close() {
      await world.close()
      await ca.close()
      await pebble.close()
      await challenges.close()
    },
  }
}
