import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { abandonJob } from '../../jobs.fixture.ts'
import { until } from '../../testing/until.ts'
import { createWorld, type World } from '../../testing/world.ts'
import * as mail from './mail.service.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())

describe('an email whose process is killed in its last attempt', () => {
  it('is marked as failed in the mailbox and the log', async () => {
    const { ctx } = world
    const to = 'reader@example.com'
    await ctx.write((tx) =>
      mail.send(ctx, tx, {
        key: 'test',
        to,
        locale: 'en',
        subject: 'An email',
        paragraphs: ['Hello.'],
      }),
    )
    await abandonJob(world.database.options, mail.deliverJob, { last: true })
    expect((await world.mailsTo(to))[0]?.state).toBe('queued')
    await world.work()
    const failed = await until(async () => {
      const [row] = await world.mailsTo(to)
      return row?.state === 'failed' && row
    })
    expect(failed.lastError).toBe('The last attempt was interrupted.')
    const page = await world.app.server.app.inject({ method: 'GET', url: '/mailbox' })
    expect(page.body).toContain('Failed')
    expect(world.logged.join('')).toContain('an email could not be delivered')
  })
})
