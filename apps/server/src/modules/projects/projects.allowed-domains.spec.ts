import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createWorld, type World } from '../../testing/world.ts'
import { domains } from '../domains/domains.schema.ts'

let world: World
let key: string
beforeAll(async () => {
  world = await createWorld({
    PUBLIC_URL: 'https://console.example.org',
    SITES_DOMAIN: 'sites.example.org',
  })
  const { teamId } = await world.user()
  const project = await world.project({ teamId, domain: 'proven.example.com' })
  key = project.key
  const pending = await world.project({ teamId, domain: 'pending.example.com' })
  await world.ctx.db
    .update(domains)
    .set({ state: 'pending' })
    .where(eq(domains.projectId, pending.id))
  await world.project({ teamId, state: 'deleted', key: 'deleted-site' })
})
afterAll(() => world.close())

const statusOf = async (domain: string, from = '127.0.0.1', headers = {}) => {
  const response = await world.app.server.app.inject({
    url: '/internal/domain-allowed',
    query: { domain },
    remoteAddress: from,
    headers,
  })
  return response.statusCode
}

describe('GET /internal/domain-allowed', () => {
  it.each(['console.example.org', 'proven.example.com', 'Proven.Example.COM'])(
    'allows %s',
    async (domain) => {
      expect(await statusOf(domain)).toBe(200)
    },
  )

  it('allows the host of a project', async () => {
    expect(await statusOf(`${key}.sites.example.org`)).toBe(200)
  })

  it.each([
    'pending.example.com',
    'other.example.com',
    'deleted-site.sites.example.org',
    'nothing.sites.example.org',
    'sites.example.org',
    '',
  ])('does not allow %j', async (domain) => {
    expect(await statusOf(domain)).toBe(404)
  })

  it('responds to this machine and private networks only', async () => {
    const statuses = [
      '10.0.0.5',
      '192.168.1.2',
      '::1',
      'fd00::1',
      '203.0.113.7',
      '2001:db8::1',
    ].map((address) => statusOf('proven.example.com', address))
    expect(await Promise.all(statuses)).toEqual([200, 200, 200, 200, 404, 404])
  })

  it('responds for a served name after many unknown ones: all visitors have one address', async () => {
    const limit = 3
    const server = await world.anotherServer({ RATE_LIMIT: limit })
    const statuses: number[] = []
    for (const domain of [...Array(limit + 1).fill('other.example.com'), 'proven.example.com']) {
      const url = `/internal/domain-allowed?domain=${domain}`
      statuses.push((await server.inject({ url, remoteAddress: '127.0.0.1' })).statusCode)
    }
    expect(statuses).toEqual([...Array(limit + 1).fill(404), 200])
  })

  it('does not respond through a proxy', async () => {
    expect(
      await statusOf('proven.example.com', '127.0.0.1', { 'x-forwarded-for': '127.0.0.1' }),
    ).toBe(404)
  })
})
