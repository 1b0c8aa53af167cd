import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { eq } from 'drizzle-orm'
import { SMTPServer } from 'smtp-server'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { until } from '../../testing/until.ts'
import { createWorld, type World } from '../../testing/world.ts'
import { type MailId, mails } from './mail.schema.ts'
import * as mail from './mail.service.ts'
import { asHtml, asName } from './mail.template.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())

const servers: SMTPServer[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await new Promise<void>((done) => server.close(done))
})

/** Somebody's mail server: takes what it is sent, or refuses it. */
async function mailServer(refuse?: Error, before = async () => {}) {
  const received: string[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, _session, done) {
      let text = ''
      stream.setEncoding('utf8')
      stream.on('data', (chunk: string) => {
        text += chunk
      })
      stream.on('end', () => {
        if (refuse) return void before().then(() => done(refuse), done)
        received.push(text)
        done()
      })
    },
  })
  servers.push(server)
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo
  return {
    received,
    ctx: { ...world.ctx, env: { ...world.env, SMTP_URL: `smtp://127.0.0.1:${port}` } },
  }
}

let letters = 0
async function queued(more: { key?: string; to?: string } = {}) {
  letters++
  const key = more.key ?? `test:${letters}`
  await world.ctx.write((tx) =>
    mail.send(world.ctx, tx, {
      key,
      to: more.to ?? `reader${letters}@example.com`,
      locale: 'en',
      subject: 'A letter',
      paragraphs: ['Hello <reader>,', 'this is for you.'],
      action: { label: 'Open it', url: 'http://localhost/?a=1&b=2' },
    }),
  )
  const [row] = await world.ctx.db.select().from(mails).where(eq(mails.key, key))
  if (!row) throw new Error('no mail was stored')
  return row
}

const stored = async (id: MailId) => {
  const [row] = await world.ctx.db.select().from(mails).where(eq(mails.id, id))
  return row
}

describe('the outbox', () => {
  it('holds a mail once, however often its key is sent', async () => {
    const first = await queued({ key: 'once' })
    const second = await queued({ key: 'once' })
    expect(second).toEqual(first)
  })

  it('holds nothing of a write that was rolled back, neither mail nor job', async () => {
    const write = world.ctx.write(async (tx) => {
      await mail.send(world.ctx, tx, {
        key: 'rolled back',
        to: 'nobody@example.com',
        locale: 'en',
        subject: 'x',
        paragraphs: [],
      })
      throw new Error('rolled back')
    })
    await expect(write).rejects.toThrow('rolled back')
    expect(await world.mailsTo('nobody@example.com')).toEqual([])
  })

  it('sends over SMTP, as text and HTML, and then forgets the body', async () => {
    const { received, ctx } = await mailServer()
    const row = await queued()
    await mail.deliver(ctx, row.id)
    expect(received).toHaveLength(1)
    expect(received[0]).toContain(`To: ${row.recipient}`)
    expect(received[0]).toContain('text/plain')
    expect(received[0]).toContain('text/html')
    expect(await stored(row.id)).toMatchObject({
      state: 'sent',
      text: null,
      html: null,
      attempts: 1,
    })
    await mail.deliver(ctx, row.id)
    expect(received).toHaveLength(1)
  })

  it('keeps a mail that was refused for another attempt, and says why', async () => {
    const { ctx } = await mailServer(new Error('mailbox full'))
    const row = await queued()
    await expect(mail.deliver(ctx, row.id)).rejects.toThrow('mailbox full')
    expect(await stored(row.id)).toMatchObject({ state: 'queued', attempts: 1 })
    expect((await stored(row.id))?.lastError).toContain('mailbox full')
  })

  it('does not send a mail again when of two attempts at once one fails after the other', async () => {
    const row = await queued()
    const { received, ctx } = await mailServer()
    let second: Promise<void> | undefined
    const refusing = await mailServer(new Error('busy'), async () => {
      second = mail.deliver(ctx, row.id)
      await second
    })
    await expect(mail.deliver(refusing.ctx, row.id)).rejects.toThrow('busy')
    await second
    expect(received).toHaveLength(1)
    expect(await stored(row.id)).toMatchObject({ state: 'sent', lastError: null })
  })

  it('names every attempt alike, so that a mail sent twice can be seen to be one', async () => {
    const { received, ctx } = await mailServer()
    const row = await queued()
    await mail.deliver(ctx, row.id)
    await world.ctx.db
      .update(mails)
      .set({ state: 'queued', text: 'again', html: '' })
      .where(eq(mails.id, row.id))
    await mail.deliver(ctx, row.id)
    const ids = received.map((text) => /^Message-ID: (.*)$/im.exec(text)?.[1])
    expect(ids).toEqual([`<${row.id}@127.0.0.1>`, `<${row.id}@127.0.0.1>`])
  })

  it('is worked through by a job as soon as the write commits', async () => {
    await world.work()
    const row = await queued()
    await until(async () => (await stored(row.id))?.state === 'kept')
    expect((await stored(row.id))?.text).toContain('Hello <reader>,')
  })

  it('writes no body into the log', async () => {
    const { ctx } = await mailServer(new Error('no'))
    const row = await queued()
    await mail.deliver(ctx, row.id).catch((error) => world.ctx.log.error({ err: error }, 'x'))
    expect(world.logged.join('')).not.toContain('this is for you')
  })
})

describe('a mail as HTML', () => {
  it('escapes what it quotes', () => {
    const html = asHtml({
      locale: 'tr',
      subject: '<b>',
      paragraphs: ['"quoted" & <script>'],
      action: { label: '<i>', url: 'http://localhost/?a=1&b="' },
    })
    expect(html).not.toMatch(/<script>|<b>|<i>/)
    expect(html).toContain('lang="tr"')
    expect(html).toContain('a=1&amp;b=&quot;')
  })
})

describe('a name in a letter', () => {
  /** What mail programs make links of: an address with or without its scheme, and one of a mailbox. */
  const linked = /[a-z]+:\/\/|[a-z]+:\S|www\.\S|\S@\S|\p{L}[.。．｡․]\p{L}/iu

  it.each([
    'https://evil.example/win',
    'HTTP://evil.example',
    'evil.example/win',
    'www.evil.example',
    'win@evil.example',
    'mailto:win@evil',
    'evil。example',
    'evil．example',
    'evil․example',
    'Ada (evil.example), Grace',
  ])('is no address to anybody: %s', (name) => {
    expect(name).toMatch(linked)
    expect(asName(name)).not.toMatch(linked)
    expect(asName(name).replaceAll('\u200a', '')).toBe(name)
  })

  it.each(["Ada O'Example", 'Şule Çağrı-İlke', 'J. R. Example', 'Example Inc.'])(
    'stays as it is: %s',
    (name) => expect(asName(name)).toBe(name),
  )
})

describe('GET /mailbox', () => {
  const get = (url: string, headers: Record<string, string> = {}) =>
    world.app.server.app.inject({ method: 'GET', url, headers })

  it('lists the mails and shows each with links that can be followed, in both languages', async () => {
    const row = await queued()
    const list = await get('/mailbox')
    expect(list.body).toContain(row.recipient)
    expect(list.body).toContain('Mailbox')
    const page = await get(`/mailbox/${row.id}`, { 'accept-language': 'tr' })
    expect(page.body).toContain('<a href="http://localhost/?a=1&amp;b=2">')
    expect(page.body).toContain('Hello &lt;reader&gt;')
    expect(page.body).toContain('Tüm e-postalar')
    expect((await get('/mailbox/nothing')).statusCode).toBe(404)
  })

  it('answers to the machine’s own names alone', async () => {
    expect((await get('/mailbox', { host: 'rebound.example.com' })).statusCode).toBe(404)
    expect((await get('/mailbox', { host: '127.0.0.1:3000' })).statusCode).toBe(200)
  })

  it('is not there when the server can be reached from outside or has a mail server', async () => {
    for (const more of [{ loopback: false }, { SMTP_URL: 'smtp://127.0.0.1' }]) {
      const app = await world.anotherApp(more)
      const answer = await app.server.app.inject({ method: 'GET', url: '/mailbox' })
      expect(answer.statusCode).toBe(404)
    }
  })
})
