import { X509Certificate } from 'node:crypto'
import type { ProjectId } from '@slipway/contract/projects'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createWorld, type World } from '../../testing/world.ts'
import { openBundle } from './certificates.bundle.ts'
import { findChallenge } from './certificates.challenges.ts'
import { processCertificate } from './certificates.process.ts'
import { certificatesOf, want } from './certificates.service.ts'
import { listByHosts } from './certificates.store.ts'
import {
  type AcmeProxy,
  acmeProblem,
  hasPebble,
  type Pebble,
  startAcmeProxy,
  startChallengeServer,
  startPebble,
} from './pebble.fixture.ts'

const isInstalled = await hasPebble()

describe.skipIf(!isInstalled)('with Pebble as the CA', () => {
  let world: World
  let pebble: Pebble
  let ca: AcmeProxy
  let challenges: Awaited<ReturnType<typeof startChallengeServer>>
  let projectId: ProjectId
  beforeAll(async () => {
    challenges = await startChallengeServer((host, token) => findChallenge(world.ctx, host, token))
    pebble = await startPebble({ httpPort: challenges.port })
    ca = await startAcmeProxy(pebble)
    world = await createWorld(
      { ACME_DIRECTORY: ca.directory, ACME_CA_FILE: pebble.caFile, ACME_EMAIL: 'a@example.org' },
      new Date(),
    )
    const owner = await world.user()
    projectId = (await world.project({ teamId: owner.teamId })).id
  })
  afterAll(async () => {
    await world?.close()
    await ca?.close()
    await pebble?.close()
    await challenges?.close()
  })
  afterEach(() => ca.reset())

  let hostCount = 0
  const newHost = () => `shop-${++hostCount}.example`
  const rowOf = async (host: string) => {
    const [row] = await listByHosts(world.ctx.db, [host])
    if (!row) throw new Error(`${host} has no certificate`)
    return row
  }
  const statusOf = async (host: string) =>
    (await certificatesOf(world.ctx.db, [host], world.clock.now())).get(host)
  /** Requests a certificate and processes it once. */
  async function order(host: string) {
    await world.ctx.write((tx) => want(world.ctx, tx, { host, projectId }))
    await processCertificate(world.ctx, (await rowOf(host)).id)
    return statusOf(host)
  }

  it('a proven host gets a certificate of its own', async () => {
    const host = newHost()
    expect(await order(host)).toMatchObject({ state: 'active', problem: null, detail: null })
    const row = await rowOf(host)
    const { chain, key } = openBundle(world.ctx.sealing, row)
    const leaf = new X509Certificate(chain[0] ?? '')
    expect(leaf.subjectAltName).toBe(`DNS:${host}`)
    expect(key).toContain('PRIVATE KEY')
    expect(await pebble.certificateStatus(leaf.serialNumber)).toMatchObject({ Status: 'Valid' })
  })

  it('the reason of a CA that refuses a host is shown in its words', async () => {
    const host = newHost()
    ca.intercept(async ({ kind }) =>
      kind === 'newOrder'
        ? acmeProblem(400, 'rejectedIdentifier', 'Policy forbids issuing for this name')
        : undefined,
    )
    expect(await order(host)).toMatchObject({
      state: 'failed',
      problem: 'refused',
      detail: 'Policy forbids issuing for this name',
      checkedAt: world.clock.now(),
    })
  })
})
