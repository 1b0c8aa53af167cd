import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { minute } from '@slipway/contract/limits'
import { asc, eq, sql } from 'drizzle-orm'
import { afterEach, describe, expect, inject, it } from 'vitest'
import { serverProgram } from '../../testing/built-programs.ts'
import { freePort } from '../../testing/free-port.ts'
import { until } from '../../testing/until.ts'
import { createWorld, type World } from '../../testing/world.ts'
import { startMailServer } from './mail.fixture.ts'
import { attemptLease, maxAttempts, overdueAfter } from './mail.policy.ts'
import { mails } from './mail.schema.ts'
import * as mail from './mail.service.ts'

let world: World
const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

async function openWorld(start?: Date) {
  world = await createWorld({}, start)
  ends.push(() => world.close())
}

const queueEmail = async (subject: string) => {
  const { ctx, clock } = world
  clock.forward(1)
  await ctx.write((tx) =>
    mail.send(ctx, tx, {
      key: subject,
      to: 'reader@example.com',
      locale: 'en',
      kind: 'account',
      subject,
      paragraphs: ['Hello.'],
    }),
  )
}

const storedEmails = () => world.ctx.db.select().from(mails).orderBy(asc(mails.createdAt))

/** A worker process on the database of the world, for a test to kill. */
async function startWorker(smtpUrl: string): Promise<ChildProcess> {
  const { user, password, host } = inject('postgres')
  const database = new URL(`postgresql://${user}:${password}@localhost`)
  database.pathname = String(world.database.options.database)
  database.searchParams.set('host', host)
  const child = spawn(process.execPath, [serverProgram], {
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      ROLE: 'worker',
      PORT: String(await freePort()),
      DATABASE_URL: database.href,
      DATA_DIR: world.env.DATA_DIR,
      PICTURES_BROWSER: 'off',
      SMTP_URL: smtpUrl,
    },
    stdio: 'ignore',
  })
  ends.push(() => kill(child))
  return child
}

async function kill(child: ChildProcess) {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, 'exit')
  child.kill('SIGKILL')
  await exit
}

describe('a worker that is killed in the middle of the emails to one recipient', () => {
  it('loses no email: another worker sends the rest, in order', { timeout: 300_000 }, async () => {
    await openWorld(new Date())
    const subjects = ['One', 'Two', 'Three', 'Four', 'Five']
    for (const subject of subjects) await queueEmail(subject)
    // All jobs but the first have run, as if it was busy meanwhile.
    await world.ctx.db.execute(sql`
      delete from pgboss.job where name = ${mail.deliverJob} and data->>'mailId' <>
        (select id::text from mails order by created_at limit 1)`)
    let hangs = true
    const server = await startMailServer({
      reply: () => (hangs && server.attempted.length === 3 ? 'hang' : undefined),
    })
    ends.push(() => server.close())
    const worker = await startWorker(server.url)
    await until(() => server.attempted.length === 3)
    await kill(worker)
    expect(server.delivered).toEqual(['One', 'Two'])
    hangs = false

    const app = await world.anotherApp({ SMTP_URL: server.url })
    await mail.sweep(app.ctx)
    const third = (await storedEmails())[2]
    if (third) await mail.deliver(app.ctx, third.id)
    expect(server.delivered, 'the killed attempt may still run').toEqual(['One', 'Two'])
    world.clock.forward(attemptLease + overdueAfter + minute)
    await mail.sweep(app.ctx)
    await app.ctx.jobs.work(app.ctx)
    await until(() => server.delivered.length === subjects.length)
    expect(server.delivered).toEqual(subjects)
    await until(async () => (await storedEmails()).every(({ state }) => state === 'sent'))
  })
})

describe('an email whose process is killed in its last attempt', () => {
  it('is marked as failed in the mailbox and the log, and the next one is sent', async () => {
    await openWorld()
    const { ctx, clock, env } = world
    const server = await startMailServer()
    ends.push(() => server.close())
    await queueEmail('Last attempt')
    await queueEmail('Next')
    const [first, next] = await storedEmails()
    if (!first || !next) throw new Error('no email was stored')
    const nextAttemptAt = new Date(clock.now().getTime() + attemptLease)
    await ctx.db
      .update(mails)
      .set({ attempts: maxAttempts, nextAttemptAt })
      .where(eq(mails.id, first.id))
    clock.forward(attemptLease)
    await mail.deliver({ ...ctx, env: { ...env, SMTP_URL: server.url } }, next.id)
    const [failed] = await storedEmails()
    expect(failed).toMatchObject({
      state: 'failed',
      lastError: 'The last attempt was interrupted.',
    })
    expect(server.delivered).toEqual(['Next'])
    const page = await world.app.server.app.inject({ method: 'GET', url: '/mailbox' })
    expect(page.body).toContain('Failed')
    expect(world.logged.join('')).toContain('an email could not be delivered')
  })
})

describe('the sweep of emails', () => {
  it('sends one job for a recipient whose next email is overdue, and none for others', async () => {
    await openWorld()
    await queueEmail('Overdue')
    await queueEmail('Behind it')
    const countJobs = async () => {
      const { rows } = await world.ctx.db.execute(
        sql`select from pgboss.job where name = ${mail.deliverJob}`,
      )
      return rows.length
    }
    await mail.sweep(world.ctx)
    expect(await countJobs()).toBe(2)
    world.clock.forward(overdueAfter)
    await mail.sweep(world.ctx)
    expect(await countJobs()).toBe(3)
    const [overdue] = await storedEmails()
    if (!overdue) throw new Error('no email was stored')
    await world.ctx.db.execute(sql`delete from pgboss.job where name = ${mail.deliverJob}`)
    // Deferred: its job runs later.
    const nextAttemptAt = new Date(world.clock.now().getTime() + minute)
    await world.ctx.db.update(mails).set({ nextAttemptAt }).where(eq(mails.id, overdue.id))
    await mail.sweep(world.ctx)
    expect(await countJobs()).toBe(0)
  })
})
