import { hour } from '@slipway/contract/limits'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createWorld, type TestUser, type World } from '../../testing/world.ts'
import * as orders from './certificates.orders.store.ts'
import { authorityWindow, ordersPerTeam } from './certificates.policy.ts'
import { reserve } from './certificates.reservation.ts'
import { certificateOrders, certificates } from './certificates.schema.ts'
import { requestForProject } from './certificates.service.ts'
import { type Certificate, listByHosts } from './certificates.store.ts'

const orderLimit = 100
const [teamLimit, reserved] = [ordersPerTeam(orderLimit), 20]

let world: World
beforeAll(async () => {
  // No order is sent to it.
  world = await createWorld({
    ACME_DIRECTORY: 'https://127.0.0.1:9/dir',
    ACME_ORDER_LIMIT: orderLimit,
  })
})
afterAll(() => world.close())
beforeEach(async () => {
  await world.ctx.db.delete(certificateOrders)
  await world.ctx.db.delete(certificates)
})

let hostCount = 0
/** Requests the certificates of new hosts of a team's new project. */
async function newCertificates({ teamId }: TestUser, count: number): Promise<Certificate[]> {
  const { id: projectId } = await world.project({ teamId })
  const hosts = Array.from({ length: count }, () => `shop-${++hostCount}.example`)
  await world.ctx.write(async (tx) => {
    for (const host of hosts) await requestForProject(world.ctx, tx, { host, projectId })
  })
  return listByHosts(world.ctx.db, hosts)
}

/** Orders the certificates one after the other, all in vain; returns how many were ordered. */
async function order(list: readonly Certificate[]) {
  let ordered = 0
  for (const certificate of list) {
    const stored = await reserve(world.ctx, certificate)
    if (!stored) continue
    ordered++
    await world.ctx.write((tx) => orders.endOrder(tx, stored.id, 'caa', world.clock.now()))
  }
  return ordered
}

describe('the orders in the window of a CA', () => {
  it('are at most 50 of one team, also when it adds new names, and the team waits', async () => {
    const [greedy, other] = [await world.user(), await world.user()]
    expect(await order(await newCertificates(greedy, teamLimit - 10))).toBe(teamLimit - 10)
    // Its names are removed, and others added.
    await world.ctx.db.delete(certificates)
    const added = await newCertificates(greedy, 12)
    expect(await order(added)).toBe(10)
    const waiting = await orders.findCertificate(world.ctx.db, added.at(-1)?.id ?? expect.fail())
    expect(waiting?.dueAt.getTime()).toBeGreaterThanOrEqual(
      world.clock.now().getTime() + authorityWindow,
    )
    expect(await order(await newCertificates(other, 1))).toBe(1)
    world.clock.forward(authorityWindow + 1)
    expect(await order(added.slice(-1))).toBe(1)
  })

  it('leave a fifth for the renewals of all teams', async () => {
    for (let teams = 0; teams < 2; teams++)
      await order(await newCertificates(await world.user(), teamLimit))
    const latecomer = await world.user()
    expect(await order(await newCertificates(latecomer, 1))).toBe(0)
    const expiresAt = new Date(world.clock.now().getTime() + hour)
    const renewals = await newCertificates(latecomer, reserved + 1)
    expect(await order(renewals.map((each) => ({ ...each, expiresAt })))).toBe(reserved)
  })
})
