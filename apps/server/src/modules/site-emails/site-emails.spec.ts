import { day } from '@slipway/contract/limits'
import type { ProjectId } from '@slipway/contract/projects'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { createWorld, type TestUser, type World } from '../../testing/world.ts'
import { startMailServer } from '../mail/mail.fixture.ts'
import { mails } from '../mail/mail.schema.ts'
import * as mail from '../mail/mail.service.ts'
import { maxHeaderBytes } from './site-emails.message.ts'
import * as siteEmails from './site-emails.service.ts'

let world: World
let owner: TestUser
beforeAll(async () => {
  world = await createWorld({
    MAIL_FROM: 'Harbour Hosting <hello@harbour.example>',
    SITE_EMAILS_PER_DAY: 3,
  })
  owner = await world.user()
})
afterAll(() => world.close())

const message = (head: string, body = 'Hello') => Buffer.from(`${head}\n\n${body}`)

/** A site, whose emails a mail server gets. */
async function createSite(name = 'Old Mill') {
  const { id, key } = await world.project({ teamId: owner.teamId, name })
  const server = await startMailServer()
  onTestFinished(() => server.close())
  const ctx = { ...world.ctx, env: { ...world.env, SMTP_URL: server.url } }
  const rows = () =>
    world.ctx.db
      .select()
      .from(mails)
      .where(eq(mails.projectId, id as ProjectId))
  return {
    id,
    send: (head: string, body?: string) => siteEmails.send(ctx, key, message(head, body)),
    rows,
    /** Delivers the site's emails. Returns them as the mail server got them. */
    async delivered() {
      for (const row of await rows()) await mail.deliver(ctx, row.id)
      return server.received
    },
  }
}

const headOf = (email = '') => email.split('\r\n\r\n')[0] ?? ''

describe('an email of a site', () => {
  it('goes to every recipient once, from the service, with replies to the sender that it named', async () => {
    const { send, delivered, rows } = await createSite()
    expect(
      await send(
        'To: Ada <ada@example.com>\nCc: Grace <GRACE@example.com>, ada@example.com\nBcc: secret@example.com\nFrom: Mill <mill@mill.example>\nSubject: Your order',
      ),
    ).toBeNull()
    const emails = await delivered()
    expect(emails).toHaveLength(3)
    for (const email of emails) {
      expect(headOf(email)).toContain('<no-reply@harbour.example>')
      expect(headOf(email)).toContain('Reply-To: mill@mill.example')
      expect(headOf(email)).toContain('Subject: Your order')
      expect(email).not.toContain('secret@example.com')
      expect(email).toContain('\r\n\r\nHello')
    }
    expect((await rows()).map(({ recipient, state, raw }) => [recipient, state, raw])).toEqual(
      ['ada', 'grace', 'secret'].map((local) => [`${local}@example.com`, 'sent', null]),
    )
  })

  it('reaches internationalized domains that are written in UTF-8, by their ASCII form', async () => {
    const { send, delivered, rows } = await createSite()
    const head = 'To: Ada <ada@müller.example>, bob@MÜLLER.example\nFrom: mill@değirmen.example'
    expect(await send(head)).toBeNull()
    expect((await rows()).map(({ recipient }) => recipient)).toEqual([
      'ada@xn--mller-kva.example',
      'bob@xn--mller-kva.example',
    ])
    const [email] = await delivered()
    expect(headOf(email)).toContain('Reply-To: mill@xn--deirmen-obb.example')
  })

  it('names its site and its address as the sender, in every alphabet', async () => {
    const { send, delivered } = await createSite('Değirmen "1" <x@bank.example>')
    await send('To: ada@example.com\nSubject: x')
    const [, words = ''] =
      /^From: ((?:=\?UTF-8\?B\?[\w+/=]+\?=\s+)+)</m.exec((await delivered())[0] ?? '') ?? []
    const name = words
      .split(/\s+/)
      .map((word) => Buffer.from(word.slice(10, -2), 'base64').toString())
      .join('')
    expect(name).toMatch(/^Değirmen "1" <x@bank\.example> \(\S+\.localhost\)$/)
    for (const line of words.split('\r\n ')) expect(line.length).toBeLessThanOrEqual(76)
  })

  it('loses the headers that claim another sender or route', async () => {
    const { send, delivered } = await createSite()
    await send(
      'To: ada@example.com\nFrom: ceo@bank.example\nSender: ceo@bank.example\nReturn-Path: <ceo@bank.example>\nDKIM-Signature: v=1\nReceived: from bank.example\nMessage-ID: <1@bank.example>\nReply-To: post@mill.example\nX-Other: 1',
    )
    const [email = ''] = await delivered()
    expect(headOf(email)).not.toContain('bank.example')
    expect(headOf(email)).not.toMatch(/^(Sender|Return-Path|DKIM-Signature|X-Other)/m)
    expect(headOf(email)).toContain('Reply-To: post@mill.example')
  })

  it('is one email, whatever its line endings (SMTP smuggling)', async () => {
    const { send, delivered } = await createSite()
    const smuggled = 'MAIL FROM:<ceo@bank.example>\r\nRCPT TO:<eve@example.com>\r\nDATA\r\n'
    await send(
      'To: ada@example.com\rX-A: 1\r.\rSubject: x',
      `a\n.\n${smuggled}\r.\r${smuggled}\r\n.\r${smuggled}\0end`,
    )
    const emails = await delivered()
    expect(emails).toHaveLength(1)
    expect(emails[0]).toContain('end')
  })

  it.each([
    ['without a recipient', 'Subject: x', 'it has no recipient'],
    ['to an invalid address', 'To: ada@example.com, ada', 'ada is no email address'],
    ['to a name', 'To: ada@example.com, Gül', 'Gül is no email address'],
    [
      'to eleven recipients',
      `To: ${Array.from({ length: 11 }, (_, n) => `a${n}@example.com`).join(', ')}`,
      'it has 11 recipients, and 10 is the most',
    ],
  ])('%s is not sent, and says why', async (_what, head, reason) => {
    const { send, rows } = await createSite()
    expect(await send(head)).toBe(reason)
    expect(await rows()).toEqual([])
  })

  it.each([
    ['recipients', `To: ${'a@b.cc,'.repeat(300_000)}`],
    ['fields', 'To:a\n'.repeat(350_000)],
    ['fields that are not sent', `To: ada@example.com\nX-A: ${'x'.repeat(maxHeaderBytes)}`],
  ])('with a header of too many %s is not parsed', async (_what, head) => {
    const { send, rows } = await createSite()
    expect(await send(head)).toBe('its header is larger than 16 KB')
    expect(await rows()).toEqual([])
  })

  it('may have a body of megabytes, which is sent as it is but for its line endings', async () => {
    const { send, delivered } = await createSite()
    const head = `To: ada@example.com\nX-A: ${'x'.repeat(maxHeaderBytes - 100)}`
    expect(
      await send(head, `${'\n'.repeat(500_000)}ç\r\0\n\r\n${'\r'.repeat(500_000)}e\0nd`),
    ).toBeNull()
    const [email = ''] = await delivered()
    const body = email.slice(email.indexOf('\r\n\r\n') + 4).trimEnd()
    expect(body === `${'\r\n'.repeat(500_000)}ç${'\r\n'.repeat(500_002)}end`).toBe(true)
  })

  it('counts each recipient, and a site has a limit for 24 hours, also at once', async () => {
    const { send, rows } = await createSite()
    const to = (count: number) =>
      send(`To: ${Array.from({ length: count }, (_, n) => `a${n}@example.com`).join(', ')}`)
    const limited = 'this site may send 3 emails in 24 hours'
    expect(await to(4)).toBe(limited)
    const outcomes = await Promise.all([to(2), to(2)])
    expect(outcomes.sort()).toEqual([limited, null].sort())
    expect(await rows()).toHaveLength(2)
    expect(await to(1)).toBeNull()
    expect(await to(1)).toBe(limited)
    world.clock.forward(day)
    expect(await to(3)).toBeNull()
  })

  it('is not sent for a deleted project, nor where the operator turned it off', async () => {
    const { key } = await world.project({ teamId: owner.teamId, state: 'deleted' })
    const email = message('To: ada@example.com')
    expect(await siteEmails.send(world.ctx, key, email)).toBe('this site is being deleted')
    const off = { ...world.ctx, env: { ...world.env, SITE_EMAILS_PER_DAY: 0 } }
    expect(await siteEmails.send(off, key, email)).toBe('this service sends no emails for sites')
  })
})
