import { request } from 'node:http'
import type { ProjectId } from '@slipway/contract/projects'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { until } from '../../testing/until.ts'
import { createWorld, type TestUser, type World } from '../../testing/world.ts'
import { mails } from '../mail/mail.schema.ts'
import { secrets } from '../secrets/secrets.schema.ts'
import { createArrivals } from './site-emails.arrivals.ts'
import { emailAccess } from './site-emails.tokens.ts'

let world: World
let owner: TestUser
beforeAll(async () => {
  // Nothing connects to a cluster before the engine starts.
  world = await createWorld({
    ENGINE: ['kubernetes'],
    KUBERNETES_SERVICE_URL: 'http://console.internal:3000',
    SITE_EMAILS_PER_DAY: 2,
  })
  owner = await world.user()
})
afterAll(() => world.close())

describe('POST /site-emails/:key', () => {
  async function site() {
    const { id, key } = await world.project({ teamId: owner.teamId })
    const { url, token } = await emailAccess(world.ctx, key)
    const rows = () =>
      world.ctx.db
        .select()
        .from(mails)
        .where(eq(mails.projectId, id as ProjectId))
    return { url, token, rows }
  }

  async function send(url: string, token: string, body: string, type = 'message/rfc822') {
    const { statusCode, body: text } = await world.app.server.app.inject({
      method: 'POST',
      url: new URL(url).pathname,
      headers: { 'content-type': type, ...(token ? { authorization: `Bearer ${token}` } : {}) },
      payload: body,
    })
    return { statusCode, text }
  }
  const email = 'To: ada@example.com\nSubject: Order\n\nHello'

  it("puts emails into the outbox, up to the site's daily limit", async () => {
    const { url, token, rows } = await site()
    expect(new URL(url).origin).toBe('http://console.internal:3000')
    for (const _ of [1, 2])
      expect(await send(url, token, email)).toEqual({ statusCode: 200, text: 'sent\n' })
    expect((await send(url, token, email)).text).toBe('this site may send 2 emails in 24 hours\n')
    expect(await rows()).toHaveLength(2)
    expect((await send(url, token, 'Subject: nobody\n\nHello')).text).toBe('it has no recipient\n')
  })

  it("accepts only the site's own token", async () => {
    const [ownSite, otherSite] = [await site(), await site()]
    expect(ownSite.token).not.toBe(otherSite.token)
    for (const token of ['', 'x', otherSite.token, `${ownSite.token}x`])
      expect((await send(ownSite.url, token, email)).statusCode).toBe(404)
    expect(await ownSite.rows()).toHaveLength(0)
    expect(await otherSite.rows()).toHaveLength(0)
  })

  it('rejects an email above 2 MiB and any other content type', async () => {
    const { url, token, rows } = await site()
    const large = `${email}${'x'.repeat(2 * 2 ** 20)}`
    expect((await send(url, token, large)).statusCode).toBe(413)
    expect((await send(url, token, email, 'text/plain')).statusCode).toBe(415)
    expect(await rows()).toHaveLength(0)
  })
})

describe('concurrent incoming emails', () => {
  it('of clients that are gone before they are counted take no place', async () => {
    const { key } = await world.project({ teamId: owner.teamId })
    const { url, token } = await emailAccess(world.ctx, key)
    // A server that has not read the key of the tokens yet.
    const app = await world.anotherApp()
    const port = await world.listen(app)
    const path = new URL(url).pathname
    const headers = { 'content-type': 'message/rfc822', authorization: `Bearer ${token}` }
    const count = { begun: 0, closed: 0 }
    app.server.app.server.on('request', (_request, response) => {
      count.begun += 1
      response.once('close', () => {
        count.closed += 1
      })
    })
    await world.ctx.write(async (tx) => {
      await tx.execute(sql`lock table ${secrets} in access exclusive mode`)
      const clients = Array.from({ length: 4 }, () =>
        request({ port, path, method: 'POST', headers: { ...headers, 'content-length': '9' } }),
      )
      for (const client of clients) client.on('error', () => undefined).flushHeaders()
      await until(() => count.begun === clients.length)
      for (const client of clients) client.destroy()
      await until(() => count.closed === clients.length)
    })
    const body = 'To: ada@example.com\n\nHello'
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: 'POST',
      headers,
      body,
    })
    expect([response.status, await response.text()]).toEqual([200, 'sent\n'])
  })

  it('are limited to 4 per site and 32 in all', () => {
    const { begin, end } = createArrivals()
    expect([1, 2, 3, 4, 5].map(() => begin('one'))).toEqual([true, true, true, true, false])
    end('one')
    expect(begin('one')).toBe(true)
    const others = Array.from({ length: 30 }, (_, number) => begin(`other ${number}`))
    expect(others.filter(Boolean)).toHaveLength(28)
  })
})
