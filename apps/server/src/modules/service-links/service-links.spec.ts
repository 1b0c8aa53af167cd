import { listServiceLinks } from '@slipway/contract/service-links'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { title } from '../../testing/declared-endpoints.ts'
import { createWorld, type World } from '../../testing/world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())

describe(title(listServiceLinks), () => {
  it('links the pages of the product itself, and no status page, without settings', async () => {
    const { PUBLIC_URL } = world.env
    expect(await world.guest(listServiceLinks)).toEqual([
      { id: 'documentation', name: 'Documentation', url: `${PUBLIC_URL}/api/docs` },
      { id: 'terms', name: 'Terms', url: `${PUBLIC_URL}/terms` },
      { id: 'privacy', name: 'Privacy', url: `${PUBLIC_URL}/privacy` },
    ])
  })

  it('links the configured pages, named in the caller’s language', async () => {
    const configured = {
      DOCS_URL: 'https://docs.example.com/start',
      STATUS_URL: 'https://status.example.com',
      TERMS_URL: 'https://example.com/terms',
      PRIVACY_URL: 'https://example.com/privacy',
    }
    const app = await world.anotherApp(configured)
    expect(await world.client(null, 'tr', app)(listServiceLinks)).toEqual([
      { id: 'documentation', name: 'Belgeler', url: configured.DOCS_URL },
      { id: 'status', name: 'Durum', url: configured.STATUS_URL },
      { id: 'terms', name: 'Kullanım koşulları', url: configured.TERMS_URL },
      { id: 'privacy', name: 'Gizlilik', url: configured.PRIVACY_URL },
    ])
  })
})
