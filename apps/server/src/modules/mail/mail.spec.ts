import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { EmailId } from '@slipway/contract/emails'
import { formatUtcDate } from '@slipway/phrases'
import { eq, sql } from 'drizzle-orm'
import { SMTPServer } from 'smtp-server'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { until } from '../../testing/until.ts'
import { createWorld, type World } from '../../testing/world.ts'
import { mails } from './mail.schema.ts'
import * as mail from './mail.service.ts'
import { asHtml, asName, asText, type Email, inTitle, unbroken } from './mail.template.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())

const servers: SMTPServer[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await new Promise<void>((done) => server.close(done))
})

/** An SMTP server that accepts each email, or rejects it with an error. */
async function startSmtpServer(rejection?: Error) {
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
        if (rejection) return done(rejection)
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

let emails = 0
async function queueEmail(options: { key?: string; to?: string } = {}) {
  emails++
  const key = options.key ?? `test:${emails}`
  await world.ctx.write((tx) =>
    mail.send(world.ctx, tx, {
      key,
      to: options.to ?? `reader${emails}@example.com`,
      locale: 'en',
      kind: 'account',
      subject: 'An email',
      paragraphs: ['Hello <reader>,', 'this is for you.'],
      action: { label: 'Open it', url: 'http://localhost/?a=1&b=2' },
    }),
  )
  const [row] = await world.ctx.db.select().from(mails).where(eq(mails.key, key))
  if (!row) throw new Error('no email was stored')
  return row
}

const storedEmail = async (id: EmailId) => {
  const [row] = await world.ctx.db.select().from(mails).where(eq(mails.id, id))
  return row
}

async function countDeliverJobs() {
  const { rows } = await world.ctx.db.execute(
    sql`select from pgboss.job where name = ${mail.deliverJob}`,
  )
  return rows.length
}

describe('the outbox', () => {
  it('stores one email per key', async () => {
    const jobCount = await countDeliverJobs()
    const first = await queueEmail({ key: 'once' })
    const second = await queueEmail({ key: 'once' })
    expect(second).toEqual(first)
    expect(await countDeliverJobs()).toBe(jobCount + 1)
  })

  it('stores neither email nor job when the transaction rolls back', async () => {
    const jobCount = await countDeliverJobs()
    const write = world.ctx.write(async (tx) => {
      await mail.send(world.ctx, tx, {
        key: 'rolled back',
        to: 'nobody@example.com',
        locale: 'en',
        kind: 'account',
        subject: 'x',
        paragraphs: [],
      })
      throw new Error('rolled back')
    })
    await expect(write).rejects.toThrow('rolled back')
    expect(await world.mailsTo('nobody@example.com')).toEqual([])
    expect(await countDeliverJobs()).toBe(jobCount)
  })

  it('sends over SMTP as text and HTML, then deletes the body', async () => {
    const { received, ctx } = await startSmtpServer()
    const row = await queueEmail()
    await mail.deliver(ctx, row.id)
    expect(received).toHaveLength(1)
    expect(received[0]).toContain(`To: ${row.recipient}`)
    expect(received[0]).toContain('text/plain')
    expect(received[0]).toContain('text/html')
    expect(received[0]).toMatch(/^Content-Id: <mark@slipway>/im)
    expect(await storedEmail(row.id)).toMatchObject({
      state: 'sent',
      text: null,
      html: null,
      attempts: 1,
    })
    await mail.deliver(ctx, row.id)
    expect(received).toHaveLength(1)
  })

  it('gives every attempt of an email the same Message-ID, of the domain of MAIL_FROM', async () => {
    const { received, ctx: anyCtx } = await startSmtpServer()
    const env = { ...anyCtx.env, MAIL_FROM: 'Slipway <no-reply@mail.example.com>' }
    const ctx = { ...anyCtx, env }
    const row = await queueEmail()
    await mail.deliver(ctx, row.id)
    await world.ctx.db
      .update(mails)
      .set({ state: 'queued', text: 'again', html: '' })
      .where(eq(mails.id, row.id))
    await mail.deliver(ctx, row.id)
    const ids = received.map((text) => /^Message-ID: (.*)$/im.exec(text)?.[1])
    expect(ids).toEqual(Array(2).fill(`<${row.id}@mail.example.com>`))
  })

  it('logs no body', async () => {
    const { ctx } = await startSmtpServer(new Error('no'))
    const row = await queueEmail()
    await mail.deliver(ctx, row.id)
    expect(world.logged.join('')).toContain('an email was not delivered yet')
    expect(world.logged.join('')).not.toContain('this is for you')
  })

  it('is processed by a job as soon as the transaction commits', async () => {
    await world.startWorkers()
    const row = await queueEmail()
    await until(async () => (await storedEmail(row.id))?.state === 'kept')
    expect((await storedEmail(row.id))?.text).toContain('Hello <reader>,')
  })
})

const consoleUrl = 'https://console.example'

describe('asHtml', () => {
  it('escapes all texts', () => {
    const html = asHtml(
      {
        locale: 'tr',
        kind: 'account',
        subject: '<b>',
        paragraphs: ['"quoted" & <script>'],
        action: { label: '<i>', url: 'http://localhost/?a=1&b="' },
      },
      consoleUrl,
    )
    expect(html).not.toMatch(/<script>|<b>|<i>/)
    expect(html).toContain('lang="tr"')
    expect(html).toContain('a=1&amp;b=&quot;')
  })

  it.each([
    ['actionNeeded', 'danger', 'Action needed'],
    ['resolved', 'success', 'Resolved'],
    ['security', 'info', 'Security'],
    ['billing', 'muted', 'Billing'],
  ] as const)('has the label of the kind %s in its color above the title', (kind, tone, label) => {
    const html = asHtml({ locale: 'en', kind, subject: 'News', paragraphs: [] }, consoleUrl)
    expect(html).toMatch(new RegExp(`<p class="${tone}" [^>]*>${label}</p>\\s*<h1 [^>]*>News<`))
  })

  it('has another title than its subject, if it has one', () => {
    const email: Email = { locale: 'en', kind: 'support', subject: 'Reply: News', paragraphs: [] }
    const html = asHtml({ ...email, title: 'News' }, consoleUrl)
    expect(html).toContain('<title>Reply: News</title>')
    expect(html).toMatch(/<h1 [^>]*>News</)
  })

  it('has its buttons side by side, those that nobody needs without a fill', () => {
    const button = { label: 'Pay', url: 'https://console.example/pay' }
    const next = { label: 'Ask', url: 'https://console.example/ask', isQuiet: true }
    const email: Email = { locale: 'en', kind: 'billing', subject: 'Invoice', paragraphs: [] }
    const html = asHtml({ ...email, action: button, nextAction: next }, consoleUrl)
    expect(html).toMatch(/<td bgcolor="[^>]*><a [^>]*>Pay<.*<td class="line"[^>]*><a [^>]*>Ask</)
    const text = asText({ ...email, action: button, nextAction: next }, consoleUrl)
    expect(text).toContain(`Pay:\n${button.url}\n\nAsk:\n${next.url}\n`)
  })

  it('begins with the amount of a receipt instead of the subject', () => {
    const lead = { amount: '$8.40', text: 'Paid on August 3, 2026' }
    const html = asHtml(
      { locale: 'en', kind: 'account', subject: 'Receipt', lead, paragraphs: [] },
      consoleUrl,
    )
    expect(html).toMatch(/<h1 [^>]*>\$8\.40<\/h1><p class="muted"[^>]*>Paid on August 3, 2026<\/p>/)
    expect(html).not.toMatch(/<h1 [^>]*>Receipt/)
    const failed = { ...lead, text: 'Payment failed', hasFailed: true }
    expect(
      asHtml(
        { locale: 'en', kind: 'billing', subject: 'x', lead: failed, paragraphs: [] },
        consoleUrl,
      ),
    ).toMatch(/<p class="danger"[^>]*>Payment failed</)
  })

  it.each([
    ['en', 'Or paste this link into your browser:'],
    ['tr', 'Veya bu bağlantıyı tarayıcınıza yapıştırın:'],
  ] as const)(
    'ends with the address of a button that shows it, for pasting, in %s',
    (locale, hint) => {
      const url = 'https://console.example/verify?token=1'
      const email = {
        locale,
        kind: 'account' as const,
        subject: 'Hello',
        paragraphs: [],
        note: 'The note.',
      }
      const action = { label: 'Open', url, showsUrl: true }
      const html = asHtml({ ...email, action }, consoleUrl)
      expect(html).toMatch(
        new RegExp(`The note\\.[^]*>${hint}<br><a [^>]*href="${RegExp.escape(url)}"`),
      )
      const other = { ...email, action: { label: 'Open', url } }
      expect(asHtml(other, consoleUrl)).not.toContain(hint)
      expect(asText(other, consoleUrl)).toContain(`Open:\n${url}\n`)
    },
  )

  it('breaks the address between its parts, and leaves the text of a copy as it is', () => {
    const url = 'https://console.example/pay?invoice=1&method=2'
    const action = { label: 'Pay', url, showsUrl: true }
    const html = asHtml(
      { locale: 'en', kind: 'account', subject: 'Invoice', paragraphs: [], action },
      consoleUrl,
    )
    expect(html).toContain(
      '>https://console.example/<wbr>pay?<wbr>invoice=<wbr>1&amp;<wbr>method=<wbr>2</a>',
    )
  })

  it('keeps a date on one line, which the plain text may break', () => {
    const date = unbroken('October 1–31, 2026')
    const email: Email = {
      locale: 'en',
      kind: 'account',
      subject: `Invoice of ${date}`,
      paragraphs: [`For ${date}.`],
    }
    expect(asHtml(email, consoleUrl)).toContain(
      '>For <span style="white-space:nowrap">October\u00a01–31,\u00a02026.</span></p>',
    )
    expect(asText(email, consoleUrl)).toMatch(/^For October 1–31, 2026\.\n/)
  })

  it('dims the decimals of an amount that no card is charged', () => {
    const rows = [
      { label: 'Total', value: '$8.40000' },
      { label: 'Rounding', value: '$0.00200' },
    ]
    const html = asHtml(
      { locale: 'en', kind: 'account', subject: 'Receipt', paragraphs: [], rows },
      consoleUrl,
    )
    expect(html).toMatch(/>\$8\.40<span class="muted"[^>]*>000<\/span>/)
    expect(html).toMatch(/>\$0\.00<span class="muted"[^>]*>200<\/span>/)
  })
})

describe('the table of an email', () => {
  const htmlOf = (label: string, value: string) =>
    asHtml(
      {
        locale: 'en',
        kind: 'account',
        subject: 'Receipt',
        paragraphs: [],
        rows: [{ label, value }],
      },
      consoleUrl,
    )

  it("keeps an amount and an invoice's number on one line", () => {
    expect(htmlOf('SW-2026-000049 · July', '$8.40')).toContain(
      '<span style="white-space:nowrap">SW-2026-000049</span> · July</td>',
    )
    expect(htmlOf('Total', '$8.40')).toMatch(/white-space:nowrap;[^>]*>\$8\.40</)
  })

  it('breaks a long name', () => {
    const rows = [{ label: 'Project', value: 'Choir', wraps: true }]
    const html = asHtml(
      { locale: 'en', kind: 'account', subject: 'Project', paragraphs: [], rows },
      consoleUrl,
    )
    expect(html).toMatch(/overflow-wrap:anywhere;[^>]*>Choir</)
  })
})

describe('asText', () => {
  it('has the table, the link and the note that the HTML has', () => {
    const email: Email = {
      locale: 'en',
      kind: 'account',
      subject: 'Receipt',
      paragraphs: ['Thank you.'],
      rows: [
        { label: '000042', value: '$8.40000' },
        { label: 'Charged', value: '$8.40', isTotal: true },
      ],
      advice: 'Keep it.',
      action: { label: 'View invoice', url: 'http://localhost/invoice' },
      note: 'Rounded.',
      seller: { name: 'Slip Ltd', address: ['Quay 1', 'Harbour'], taxNumber: '42' },
    }
    expect(asText(email, consoleUrl)).toBe(
      'Thank you.\n\n000042: $8.40000\nCharged: $8.40\n\nKeep it.\n\nView invoice:\nhttp://localhost/invoice\n\nRounded.\n\nSent to you because this address has a Slipway account.\nSlip Ltd, Quay 1, Harbour\nTax number: 42\nhttps://console.example',
    )
  })
})

describe('inTitle', () => {
  it('keeps a short name on one line, and lets a long one wrap', () => {
    const email = (name: string): Email => ({
      locale: 'en',
      kind: 'team',
      subject: inTitle(name),
      paragraphs: [],
    })
    expect(asHtml(email('Example Choir'), consoleUrl)).toMatch(/nowrap">Example\u00a0Choir</)
    expect(asHtml(email('The Example Choir of Izmir'), consoleUrl)).toContain('>The Example Choir')
  })
})

describe('asName', () => {
  /** Matches text that email clients turn into links. */
  const linkLike = /[a-z]+:\/\/|[a-z]+:\S|www\.\S|\S@\S|\p{L}[.。．｡․]\p{L}/iu

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
  ])('makes a name unrecognizable as a link: %s', (name) => {
    expect(name).toMatch(linkLike)
    expect(asName(name)).not.toMatch(linkLike)
    expect(asName(name).replaceAll('\u200a', '')).toBe(name)
  })

  it.each(["Ada O'Example", 'Şule Çağrı-İlke', 'J. R. Example', 'Example Inc.'])(
    'leaves an ordinary name unchanged: %s',
    (name) => expect(asName(name)).toBe(name),
  )
})

describe('GET /mailbox', () => {
  const get = (url: string, headers: Record<string, string> = {}) =>
    world.app.server.app.inject({ method: 'GET', url, headers })

  it('lists the emails and shows each with its links, in both languages', async () => {
    const row = await queueEmail()
    const list = await get('/mailbox')
    expect(list.body).toContain(row.recipient)
    expect(list.body).toContain('Mailbox')
    const page = await get(`/mailbox/${row.id}`, { 'accept-language': 'tr' })
    expect(page.body).toContain('<a href="http://localhost/?a=1&amp;b=2">')
    expect(page.body).toContain('Hello &lt;reader&gt;')
    expect(page.body).toContain('Tüm e-postalar')
    expect((await get('/mailbox/nothing')).statusCode).toBe(404)
  })

  it('links only the URL of a tag in the source of an email', async () => {
    const { id } = await queueEmail()
    const text = '<a href="https://shop.example/?a=1&b=2">Open</a>'
    await world.ctx.db.update(mails).set({ text }).where(eq(mails.id, id))
    const url = 'https://shop.example/?a=1&amp;b=2'
    expect((await get(`/mailbox/${id}`)).body).toContain(
      `&lt;a href=&quot;<a href="${url}">${url}</a>&quot;&gt;Open&lt;/a&gt;`,
    )
  })

  it('groups the emails by day, and shows the state of a failed one only', async () => {
    const { createdAt } = await queueEmail()
    const { body } = await get('/mailbox')
    const day = formatUtcDate(createdAt, 'en', { month: 'long', year: true })
    expect(body).toContain(`<h2>${day}</h2>`)
    expect(body).toContain(`>${createdAt.toISOString().slice(11, 16)} UTC</time>`)
    expect(body).not.toContain('class="badge"')
  })

  it('shows an email as HTML in a frame that runs no script and loads nothing', async () => {
    const { id } = await queueEmail()
    const page = await get(`/mailbox/${id}`)
    expect(page.body).toMatch(new RegExp(`<iframe sandbox="[^"]*" src="/mailbox/${id}/html"`))
    expect(page.body).not.toMatch(/sandbox="[^"]*allow-scripts/)
    expect(page.headers['content-security-policy']).toContain("frame-src 'self'")

    const framed = await get(`/mailbox/${id}/html`)
    expect(framed.body).toContain('Hello &lt;reader&gt;,')
    expect(framed.body).toContain('src="data:image/png;base64,')
    // A link replaces the page around the frame, which alone may leave it.
    expect(framed.body).toContain('<base target="_top">')
    const policy = String(framed.headers['content-security-policy'])
    expect(policy).toContain("default-src 'none'")
    expect(policy).toMatch(/sandbox allow-same-origin allow-top-navigation-by-user-activation$/)
    expect((await get('/mailbox/nothing/html')).statusCode).toBe(404)
  })

  it('measures the email with a script of the page around the frame', async () => {
    const { id } = await queueEmail()
    expect((await get(`/mailbox/${id}`)).body).toContain('<script src="/mailbox/frame.js" defer>')
    const script = await get('/mailbox/frame.js')
    expect(script.headers['content-type']).toBe('text/javascript; charset=utf-8')
    expect((await get('/mailbox')).body).not.toContain('<script')
  })

  it('is served under the machine’s own host names only', async () => {
    expect((await get('/mailbox', { host: 'rebound.example.com' })).statusCode).toBe(404)
    expect((await get('/mailbox', { host: '127.0.0.1:3000' })).statusCode).toBe(200)
  })

  it.each([
    'X-Forwarded-For',
    'X-Real-IP',
    'X-Forwarded-Host',
    'X-Forwarded-Proto',
    'Forwarded',
    'Via',
  ])('is not served through a proxy that adds %s', async (name) => {
    expect((await get('/mailbox', { [name]: '203.0.113.7' })).statusCode).toBe(404)
  })

  it('does not exist on a public server or with an SMTP server', async () => {
    for (const env of [{ standIns: false }, { SMTP_URL: 'smtp://127.0.0.1' }]) {
      const app = await world.anotherApp(env)
      const response = await app.server.app.inject({ method: 'GET', url: '/mailbox' })
      expect(response.statusCode).toBe(404)
    }
  })
})
