import { listStuckEmails, retryEmail } from '@slipway/contract/emails'
import { minute } from '@slipway/contract/limits'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { title } from '../../testing/declared-endpoints.ts'
import { errorCodeOf } from '../../testing/matchers.ts'
import { createWorld, type TestUser, type World } from '../../testing/world.ts'
import { storeFailedEmail } from './mail.fixture.ts'
import { mails } from './mail.schema.ts'
import * as mail from './mail.service.ts'

let world: World
let operator: TestUser
beforeAll(async () => {
  world = await createWorld({ OPERATOR_EMAILS: ['operator@example.com'] })
  operator = await world.user({ email: 'operator@example.com' })
})
beforeEach(() => world.ctx.db.delete(mails))
afterAll(() => world.close())

const list = (query: { state?: 'queued' | 'failed'; page?: number; perPage?: number } = {}) =>
  operator.call(listStuckEmails, { query })

describe(title(listStuckEmails), () => {
  it('returns failed and deferred emails, newest first, with reason and without body', async () => {
    const failed = await storeFailedEmail(world)
    world.clock.forward(minute)
    const nextAttemptAt = world.clock.now()
    const deferred = await storeFailedEmail(world, { state: 'queued', nextAttemptAt })
    await storeFailedEmail(world, { state: 'queued', attempts: 1, lastError: null })
    await storeFailedEmail(world, { state: 'sent' })
    const { items, totalPages } = await list()
    expect(totalPages).toBe(1)
    expect(items).toEqual([
      {
        id: deferred.id,
        recipient: 'reader@example.com',
        subject: 'An email',
        state: 'queued',
        attempts: 1,
        reason: '550 no such user',
        createdAt: deferred.createdAt.toISOString(),
        nextAttemptAt: nextAttemptAt.toISOString(),
      },
      expect.objectContaining({ id: failed.id, state: 'failed', nextAttemptAt: null }),
    ])
  })

  it('filters by state, in pages', async () => {
    for (let i = 0; i < 3; i++) await storeFailedEmail(world)
    await storeFailedEmail(world, { state: 'queued' })
    const { items, totalPages } = await list({ state: 'failed', page: 2, perPage: 2 })
    expect([items.length, totalPages]).toEqual([1, 2])
    expect((await list({ state: 'queued' })).items).toHaveLength(1)
  })
})

describe(title(retryEmail), () => {
  const retry = (id: string) => operator.call(retryEmail, { params: { id } })

  it('queues a failed email as if it were new, with a job', async () => {
    const { id } = await storeFailedEmail(world, { attempts: 20 })
    expect(await retry(id)).toMatchObject({ id, state: 'queued', attempts: 0 })
    const { rows } = await world.ctx.db.execute(
      sql`select from pgboss.job where name = ${mail.deliverJob} and data->>'mailId' = ${id}`,
    )
    expect(rows).toHaveLength(1)
    await mail.deliver(world.ctx, id)
    const [row] = await world.ctx.db.select().from(mails).where(eq(mails.id, id))
    expect(row?.state).toBe('kept')
  })

  it('tries a deferred email before its time', async () => {
    const nextAttemptAt = new Date(world.clock.now().getTime() + 60 * minute)
    const { id } = await storeFailedEmail(world, { state: 'queued', nextAttemptAt })
    expect(await retry(id)).toMatchObject({ state: 'queued', nextAttemptAt: null })
  })

  it('does not find a sent email', async () => {
    const { id } = await storeFailedEmail(world, { state: 'sent' })
    expect(await errorCodeOf(retry(id))).toBe('item_not_found')
  })
})
