import { listRegions } from '@slipway/contract/regions'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { title } from '../../testing/declared-endpoints.ts'
import { createWorld, type World } from '../../testing/world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())

describe(title(listRegions), () => {
  const siteUrl = expect.stringMatching(/^http:\/\/\{key\}\.localhost:\d+$/)

  it('lists the configured regions in order', async () => {
    const { call } = await world.user()
    expect(await call(listRegions)).toEqual([
      { id: 'eu', name: 'Europe', siteUrl },
      { id: 'us', name: 'North America', siteUrl },
    ])
  })

  it('names the regions in the caller’s language', async () => {
    const { token } = await world.user()
    expect(await world.client(token, 'tr')(listRegions)).toEqual([
      { id: 'eu', name: 'Avrupa', siteUrl },
      { id: 'us', name: 'Kuzey Amerika', siteUrl },
    ])
  })
})
