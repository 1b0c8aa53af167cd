import type { ProjectId } from '@slipway/contract/projects'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../db/ids.ts'
import { createWorld, type TestUser, type World } from '../../testing/world.ts'
import { createChallenges } from './certificates.challenges.ts'
import { storeCertificate } from './certificates.fixture.ts'
import { certificateChallenges, certificateOrders } from './certificates.schema.ts'
import { drop, requestForProject, statusByHost } from './certificates.service.ts'
import { listByHosts } from './certificates.store.ts'

let world: World
let owner: TestUser
let projectId: ProjectId
beforeAll(async () => {
  world = await createWorld()
  owner = await world.user()
  projectId = (await world.project({ teamId: owner.teamId })).id
})
afterAll(() => world.close())

const request = (host: string, of = projectId) =>
  world.ctx.write((tx) => requestForProject(world.ctx, tx, { host, projectId: of }))
const end = (host: string) => world.ctx.write((tx) => drop(world.ctx, tx, host))
const rowOf = async (host: string) => (await listByHosts(world.ctx.db, [host]))[0]
const statusOf = async (host: string) =>
  (await statusByHost(world.ctx.db, [host], world.clock.now())).get(host)
const certificateWithKey = { chain: ['certificate\n'], key: 'key' }

describe('a certificate', () => {
  it('is pending once a host is proven, and requested once', async () => {
    await request('shop.example')
    const first = await rowOf('shop.example')
    await Promise.all([request('shop.example'), request('shop.example')])
    expect(await rowOf('shop.example')).toEqual(first)
    expect(await statusOf('shop.example')).toEqual({
      state: 'pending',
      issuer: null,
      expiresAt: null,
      renewAt: null,
      problem: null,
      detail: null,
      checkedAt: null,
    })
  })

  it('is requested once by two projects at once', async () => {
    const otherProjectId = (await world.project({ teamId: owner.teamId })).id
    await Promise.all([request('race.example'), request('race.example', otherProjectId)])
    expect([projectId, otherProjectId]).toContain((await rowOf('race.example'))?.projectId)
  })

  it('stays with its host when that moves to another project', async () => {
    const id = await storeCertificate(world.ctx, {
      host: 'moved.example',
      projectId,
      certificateWithKey,
    })
    const otherProjectId = (await world.project({ teamId: owner.teamId })).id
    await request('moved.example', otherProjectId)
    expect(await rowOf('moved.example')).toMatchObject({ id, projectId: otherProjectId })
    await world.ctx.write(async (tx) => {
      await drop(world.ctx, tx, 'moved.example')
      await requestForProject(world.ctx, tx, { host: 'moved.example', projectId })
    })
    expect(await rowOf('moved.example')).toMatchObject({ id, projectId, droppedAt: null })
  })

  it('is not served once it is dropped', async () => {
    await storeCertificate(world.ctx, { host: 'gone.example', projectId, certificateWithKey })
    await end('gone.example')
    await end('gone.example')
    await end('unknown.example')
    expect(await statusOf('gone.example')).toBeUndefined()
  })

  it('is active until it expires, also while its renewal fails, and failed afterwards', async () => {
    const failure = { problem: 'caa', detail: 'CAA record prevents issuance' } as const
    const host = 'expiring.example'
    await storeCertificate(world.ctx, { host, projectId, certificateWithKey, ...failure })
    const expiresAt = (await rowOf(host))?.expiresAt ?? new Date()
    const statusAt = async (now: Date) => (await statusByHost(world.ctx.db, [host], now)).get(host)
    const before = new Date(expiresAt.getTime() - 1)
    expect(await statusAt(before)).toMatchObject({
      state: 'active',
      issuer: 'Example CA',
      ...failure,
    })
    expect(await statusAt(expiresAt)).toMatchObject({ state: 'failed', ...failure })
  })

  it('that expired without a renewal attempt reports an internal problem', async () => {
    const expiresAt = world.clock.now()
    await storeCertificate(world.ctx, {
      host: 'expired.example',
      projectId,
      certificateWithKey,
      expiresAt,
    })
    expect(await statusOf('expired.example')).toMatchObject({
      state: 'failed',
      problem: 'internal',
    })
  })
})

describe('a challenge', () => {
  it('is unknown without an order, and for a malformed token', async () => {
    const tokens = [
      'a'.repeat(43),
      '',
      '..',
      `${'a'.repeat(43)}/..`,
      'a'.repeat(4000),
      '\0'.repeat(43),
    ]
    for (const token of tokens)
      expect(await createChallenges(world.ctx).find('shop.example', token)).toBeNull()
  })
  it('is found during a flood of requests, which share one query at a time', async () => {
    const { find } = createChallenges(world.ctx)
    const host = 'flooded.example'
    const token = 'a'.repeat(43)
    const readsThatWait = async () => {
      const { rows } = await world.ctx.db.execute(
        sql`select pid from pg_locks where not granted
          and relation = 'certificate_challenges'::regclass`,
      )
      return rows.length
    }
    let requested: Promise<(string | null)[]> | undefined
    await world.ctx.write(async (tx) => {
      await tx.execute(sql`lock table ${certificateChallenges} in access exclusive mode`)
      const first = find(host, 'b'.repeat(43))
      await expect.poll(readsThatWait).toBe(1)
      const others = Array.from({ length: 2_000 }, (_, index) =>
        find(host, `${index}`.padStart(43, '-')),
      )
      // Separate queries would occupy every connection of the pool, also for this one.
      expect(await readsThatWait()).toBe(1)
      const orderId = newId<'CertificateOrder'>()
      const times = { createdAt: world.clock.now() }
      await tx
        .insert(certificateOrders)
        .values({ ...times, id: orderId, host, directory: 'https://ca.example', sealedKey: '' })
      await tx
        .insert(certificateChallenges)
        .values({ ...times, orderId, host, token, type: 'http-01', response: 'the response' })
      requested = Promise.all([find(host, token), first, ...others])
    })
    expect(new Set(await requested)).toEqual(new Set(['the response', null]))
  })
})
