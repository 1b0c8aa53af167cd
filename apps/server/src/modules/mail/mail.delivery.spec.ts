import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { EmailId } from '@slipway/contract/emails'
import { day, second } from '@slipway/contract/limits'
import type { ProjectId } from '@slipway/contract/projects'
import { eq, sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createCertificateAuthority } from '../../testing/certificate-authority.ts'
import { until } from '../../testing/until.ts'
import { createWorld, type World } from '../../testing/world.ts'
import { type MailServer, startMailServer, startSilentServer } from './mail.fixture.ts'
import {
  deliveryBudget,
  emailRetention,
  laneOf,
  lanesPerDomain,
  maxAttempts,
  overdueAfter,
} from './mail.policy.ts'
import { mails } from './mail.schema.ts'
import * as mail from './mail.service.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())

const servers: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
  await world.ctx.db.delete(mails)
  await world.ctx.db.execute(sql`delete from pgboss.job`)
})

async function start(options?: Parameters<typeof startMailServer>[0]): Promise<MailServer> {
  const server = await startMailServer(options)
  servers.push(server)
  return server
}

const contextOf = (url: string) => ({ ...world.ctx, env: { ...world.env, SMTP_URL: url } })

let emails = 0
async function queueEmail(to = 'reader@example.com', subject = 'An email') {
  world.clock.forward(1)
  emails++
  const key = `delivery:${emails}`
  await world.ctx.write((tx) =>
    mail.send(world.ctx, tx, {
      key,
      to,
      locale: 'en',
      kind: 'account',
      subject,
      paragraphs: ['Hello.'],
    }),
  )
  const [row] = await world.ctx.db.select().from(mails).where(eq(mails.key, key))
  if (!row) throw new Error('no email was stored')
  return row.id
}

const findEmail = async (id: EmailId) => {
  const [row] = await world.ctx.db.select().from(mails).where(eq(mails.id, id))
  return row
}

/** The delays of an email's waiting jobs, in seconds. */
const jobDelays = async (id: EmailId) => {
  const { rows } = await world.ctx.db.execute<{ delay: string }>(sql`
    select round(extract(epoch from start_after - created_on)) as delay
    from pgboss.job where data->>'mailId' = ${id} order by delay`)
  return rows.map(({ delay }) => Number(delay))
}

describe('a temporary rejection', () => {
  it.each([
    ['451 try again later', false],
    ['452 mailbox full', true],
    ['530 5.7.0 must issue a STARTTLS command first', false],
  ])('leaves the email queued and retries it later: %s', async (reply, atData) => {
    const server = await start({ reply: () => reply, atData })
    const id = await queueEmail()
    const now = world.clock.now().getTime()
    await mail.deliver(contextOf(server.url), id)
    expect(await findEmail(id)).toMatchObject({
      state: 'queued',
      attempts: 1,
      lastError: expect.stringContaining(reply.slice(4)),
      nextAttemptAt: new Date(now + 5 * second),
    })
    expect(await jobDelays(id)).toEqual([0, 5])
  })

  it('waits longer after each attempt, and is given up after about a day', async () => {
    const server = await start({ reply: () => '451 try again later' })
    const id = await queueEmail()
    const firstAttempt = world.clock.now().getTime()
    const waits: number[] = []
    for (;;) {
      await mail.deliver(contextOf(server.url), id)
      const { state, nextAttemptAt } = (await findEmail(id)) ?? {}
      if (state !== 'queued' || !nextAttemptAt) break
      const wait = nextAttemptAt.getTime() - world.clock.now().getTime()
      waits.push(wait / second)
      world.clock.forward(wait)
    }
    expect(waits).toHaveLength(maxAttempts - 1)
    expect(waits.slice(0, 4)).toEqual([5, 10, 20, 40])
    expect(waits.at(-1)).toBe(7200)
    expect(world.clock.now().getTime() - firstAttempt).toBeGreaterThan(0.75 * day)
    expect(await findEmail(id)).toMatchObject({ state: 'failed' })
    expect(world.logged.join('')).toContain('an email could not be delivered')
  })

  it('a rejected login is retried: the operator can fix it', async () => {
    const server = await start({
      authOptional: false,
      allowInsecureAuth: true,
      onAuth: (_auth, _session, done) => done(new Error('wrong password')),
    })
    const id = await queueEmail()
    await mail.deliver(contextOf(server.url.replace('//', '//user:password@')), id)
    expect(await findEmail(id)).toMatchObject({ state: 'queued', attempts: 1 })
  })
})

describe('a final rejection', () => {
  it.each([
    ['550 no such user', false],
    ['554 rejected as spam', true],
  ])('fails the email at once: %s', async (reply, atData) => {
    const server = await start({ reply: () => reply, atData })
    const id = await queueEmail()
    await mail.deliver(contextOf(server.url), id)
    expect(await findEmail(id)).toMatchObject({
      state: 'failed',
      lastError: expect.stringContaining(reply),
    })
    expect(await jobDelays(id)).toEqual([0])
  })
})

describe('a mail server that hangs', () => {
  const timeout = 300

  it.each([
    ['says nothing', startSilentServer],
    [
      'sends a byte now and then',
      () =>
        startSilentServer((socket) => {
          socket.write('220-')
          const drip = setInterval(() => socket.write('x'), 50)
          socket.once('close', () => clearInterval(drip))
        }),
    ],
    ['does not respond to the recipient', () => startMailServer({ reply: () => 'hang' })],
    ['does not respond to the email', () => startMailServer({ reply: () => 'hang', atData: true })],
  ])('ends the attempt and its connection when it %s', async (_when, startServer) => {
    const server = await startServer()
    servers.push(server)
    const id = await queueEmail()
    await mail.deliver(contextOf(server.url), id, timeout)
    expect(await findEmail(id)).toMatchObject({
      state: 'queued',
      attempts: 1,
      lastError: 'the mail server did not finish in time',
    })
    await until(() => server.open === 0)
  })

  it('a server that hangs for one domain leaves workers to the others', async () => {
    const server = await start({
      reply: (recipient) => (recipient.endsWith('@slow.example.com') ? 'hang' : undefined),
    })
    const app = await world.anotherApp({ SMTP_URL: server.url })
    for (let i = 0; i < 12; i++) await queueEmail(`reader${i}@slow.example.com`)
    await app.ctx.jobs.work(app.ctx)
    try {
      await until(() => server.attempted.length >= lanesPerDomain)
      const otherMail = await queueEmail('reader@example.com')
      await until(async () => (await findEmail(otherMail))?.state === 'sent')
      const slowAttempts = server.attempted.filter((to) => to.endsWith('@slow.example.com'))
      expect(slowAttempts).toHaveLength(lanesPerDomain)
    } finally {
      // The attempts end with the server.
      await server.close()
      await app.ctx.jobs.close()
    }
  })
})

const countJobs = async () => {
  const { rows } = await world.ctx.db.execute(
    sql`select from pgboss.job where name = ${mail.deliverJob}`,
  )
  return rows.length
}

/** A recipient of `example.com` in the lane of another one, or in another lane. */
const recipientBeside = (other: string, sameLane: boolean) => {
  for (let number = 0; ; number++) {
    const recipient = `beside${number}@example.com`
    if ((laneOf(recipient) === laneOf(other)) === sameLane) return recipient
  }
}

describe('emails to one recipient', () => {
  it('are sent in order: a later one waits for the retry of an earlier one', async () => {
    let busy = true
    const server = await start({ reply: () => (busy ? '451 busy' : undefined) })
    const ctx = contextOf(server.url)
    const [first, second_] = [
      await queueEmail(undefined, 'First'),
      await queueEmail(undefined, 'Second'),
    ]
    const another = await queueEmail('another@example.com', 'Another')
    await mail.deliver(ctx, first)
    busy = false
    await mail.deliver(ctx, second_)
    await mail.deliver(ctx, another)
    expect(server.delivered).toEqual(['Another'])
    // The job that retries the first email sends the second one, too.
    expect(await jobDelays(second_)).toEqual([0])
    world.clock.forward(5 * second)
    await mail.deliver(ctx, first)
    expect(server.delivered).toEqual(['Another', 'First', 'Second'])
  })

  it('continue after a final rejection: the same job sends the next emails', async () => {
    let rejected = false
    const server = await start({
      reply: () => {
        if (rejected) return undefined
        rejected = true
        return '550 no'
      },
    })
    const first = await queueEmail()
    const behind = [await queueEmail(undefined, 'Second'), await queueEmail(undefined, 'Third')]
    await mail.deliver(contextOf(server.url), first)
    expect((await findEmail(first))?.state).toBe('failed')
    expect(server.delivered).toEqual(['Second', 'Third'])
    for (const id of behind) await mail.deliver(contextOf(server.url), id)
    expect(server.attempted).toHaveLength(3)
  })

  it('cause at most two jobs each when two workers send 200 emails in order', async () => {
    const server = await start()
    const subjects = Array.from({ length: 200 }, (_, index) => `Email ${index}`)
    for (const subject of subjects) await queueEmail(undefined, subject)
    const apps = [
      await world.anotherApp({ SMTP_URL: server.url }),
      await world.anotherApp({ SMTP_URL: server.url }),
    ]
    try {
      for (const { ctx } of apps) await ctx.jobs.work(ctx)
      await until(() => server.delivered.length >= subjects.length)
    } finally {
      for (const { ctx } of apps) await ctx.jobs.close()
    }
    expect(server.delivered).toEqual(subjects)
    // One job for each email, and one more for an email that another worker was sending.
    expect(await countJobs()).toBeLessThanOrEqual(2 * subjects.length)
  })

  it('leave the lane to other recipients after a time limit, and continue with another job', async () => {
    const server = await start({
      reply: () => {
        world.clock.forward(deliveryBudget / 2)
        return undefined
      },
    })
    const first = await queueEmail()
    const second_ = await queueEmail()
    const third = await queueEmail()
    await mail.deliver(contextOf(server.url), first)
    expect(server.delivered).toHaveLength(2)
    expect(await jobDelays(third)).toEqual([0, 0])
    // Its email is sent: the job leaves the later one to that one's own, behind other recipients.
    await mail.deliver(contextOf(server.url), second_)
    expect(server.delivered).toHaveLength(2)
    await mail.deliver(contextOf(server.url), third)
    expect(server.delivered).toHaveLength(3)
  })
})

describe('a deferred email of a site', () => {
  const recipient = 'reader@example.com'

  async function queueOfSite(projectId: ProjectId, subject: string) {
    world.clock.forward(1)
    const raw = Buffer.from(`Subject: ${subject}\r\n\r\nHello.`)
    const email = { projectId, recipients: [recipient], subject, raw }
    await world.ctx.write((tx) => mail.sendOfSite(world.ctx, tx, email, 10))
    const [row] = await world.ctx.db.select().from(mails).where(eq(mails.subject, subject))
    if (!row) throw new Error('no email was stored')
    return row.id
  }

  it("delays later ones of the site, and neither the service's nor those of other sites", async () => {
    const { teamId } = await world.user()
    const [siteA, siteB] = [await world.project({ teamId }), await world.project({ teamId })]
    const server = await start({ reply: () => '451 busy' })
    const deferred = await queueOfSite(siteA.id, 'Deferred')
    await mail.deliver(contextOf(server.url), deferred)
    const others = [
      await queueOfSite(siteA.id, 'Of the same site'),
      await queueOfSite(siteB.id, 'Of another site'),
      await queueEmail(recipient, 'Of the service'),
    ]
    const accepting = await start()
    for (const id of others) await mail.deliver(contextOf(accepting.url), id)
    expect(accepting.delivered).toEqual(['Of another site', 'Of the service'])
  })

  it('hides no overdue email from the sweep', async () => {
    const { teamId } = await world.user()
    const site = await world.project({ teamId })
    const server = await start({ reply: () => '451 busy' })
    await mail.deliver(contextOf(server.url), await queueOfSite(site.id, 'Deferred'))
    const overdue = await queueEmail(recipient)
    await world.ctx.db
      .update(mails)
      .set({ nextAttemptAt: new Date(world.clock.now().getTime() + day) })
      .where(eq(mails.subject, 'Deferred'))
    await world.ctx.db.execute(sql`delete from pgboss.job`)
    world.clock.forward(overdueAfter)
    await mail.sweep(world.ctx)
    expect(await countJobs()).toBe(1)
    expect(await jobDelays(overdue)).toEqual([0])
  })
})

describe('a recipient whose emails are deferred', () => {
  it('does not delay the others of its domain, in its lane or another', async () => {
    const server = await start({
      reply: (recipient) => (recipient === 'reader@example.com' ? '451 busy' : undefined),
    })
    const neighbors = [true, false].map((sameLane) =>
      recipientBeside('reader@example.com', sameLane),
    )
    for (let number = 0; number < 20; number++) {
      await queueEmail(undefined, 'Deferred')
      for (const [index, to] of neighbors.entries()) await queueEmail(to, `To ${index}`)
    }
    const app = await world.anotherApp({ SMTP_URL: server.url })
    await app.ctx.jobs.work(app.ctx)
    try {
      await until(() => server.delivered.length === 40)
    } finally {
      await app.ctx.jobs.close()
    }
    expect(server.delivered.filter((subject) => subject === 'To 0')).toHaveLength(20)
    // One attempt of the first email; none of those behind it.
    expect(server.attempted.filter((to) => to === 'reader@example.com')).toHaveLength(1)
  })
})

describe('an attempt', () => {
  it('does not start while another may run', async () => {
    const server = await start({ reply: () => 'hang' })
    const id = await queueEmail()
    const first = mail.deliver(contextOf(server.url), id)
    await until(() => server.attempted.length === 1)
    await mail.deliver(contextOf(server.url), id)
    expect(server.attempted).toHaveLength(1)
    // The attempt ends with the server.
    await server.close()
    await first
    expect(await findEmail(id)).toMatchObject({ attempts: 1 })
  })
})

describe('the encryption of emails', () => {
  // A loopback address that is not recognized as such stands for another machine.
  const elsewhere = { host: '127.0.0.2' }

  it('is required by other machines, and their emails are not sent without it', async () => {
    const server = await start(elsewhere)
    const id = await queueEmail()
    await mail.deliver(contextOf(server.url), id)
    expect(server.delivered).toEqual([])
    expect(await findEmail(id)).toMatchObject({ state: 'queued', attempts: 1 })
  })

  it('can be turned off in the address of the server', async () => {
    const server = await start(elsewhere)
    const id = await queueEmail()
    await mail.deliver(contextOf(`${server.url}?requireTLS=false`), id)
    expect(server.delivered).toEqual(['An email'])
  })

  it('trusts a private authority of NODE_EXTRA_CA_CERTS, and no other', async () => {
    const authority = await createCertificateAuthority()
    const { certificate, key } = await authority.issue(elsewhere.host)
    const server = await start({ ...elsewhere, secure: true, cert: certificate, key })
    const file = join(world.env.DATA_DIR, 'authority.pem')
    await writeFile(file, authority.pem)
    const script = `
      import { deliver } from ${JSON.stringify(import.meta.resolve('./mail.transport.ts'))}
      const email = { id: '1', recipient: 'reader@example.com', subject: 'An email' }
      await deliver({ MAIL_FROM: 'Slipway <a@example.com>' }, process.argv[1], email)`
    // Node reads the variable once, at the start of a process.
    const send = (env: NodeJS.ProcessEnv) =>
      promisify(execFile)(
        process.execPath,
        ['--input-type=module', '-e', script, server.url.replace('smtp:', 'smtps:')],
        { env: { ...process.env, ...env } },
      )
    await expect(send({})).rejects.toThrow(/unable to verify the first certificate/)
    await send({ NODE_EXTRA_CA_CERTS: file })
    expect(server.delivered).toEqual(['An email'])
  })
})

describe('old emails', () => {
  it('are removed after three months, except queued ones', async () => {
    const ids = [await queueEmail(), await queueEmail(), await queueEmail()]
    const [sent = ids[0], failed = ids[0], queued] = ids
    await world.ctx.db
      .update(mails)
      .set({ state: 'sent' })
      .where(eq(mails.id, sent as EmailId))
    await world.ctx.db
      .update(mails)
      .set({ state: 'failed' })
      .where(eq(mails.id, failed as EmailId))
    world.clock.forward(emailRetention)
    const recent = await queueEmail()
    await mail.removeOldEmails(world.ctx)
    const remaining = await world.ctx.db
      .select({ id: mails.id })
      .from(mails)
      .orderBy(mails.createdAt)
    expect(remaining.map(({ id }) => id)).toEqual([queued, recent])
  })
})
