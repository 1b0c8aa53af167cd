import { listRegions } from '@slipway/contract/regions'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createWorld, type World } from '../../testing/world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())

describe('GET /common/regions', () => {
  it('lists the regions of the configuration in its order', async () => {
    const { call } = await world.user()
    expect(await call(listRegions)).toEqual([
      { id: 'eu', name: 'Europe' },
      { id: 'us', name: 'North America' },
    ])
  })

  it('names them in the language of whoever asks', async () => {
    const { token } = await world.user()
    expect(await world.client(token, 'tr')(listRegions)).toEqual([
      { id: 'eu', name: 'Avrupa' },
      { id: 'us', name: 'Kuzey Amerika' },
    ])
  })
})
