import { listRuntimes } from '@slipway/contract/runtimes'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { title } from '../../testing/declared-endpoints.ts'
import { createWorld, type TestUser, type World } from '../../testing/world.ts'

const operatorEmail = 'operator@example.com'

let world: World
beforeAll(async () => {
  world = await createWorld({ OPERATOR_EMAILS: [operatorEmail] })
})
afterAll(() => world.close())

describe(title(listRuntimes), () => {
  const image = async ({ call }: TestUser) =>
    (await call(listRuntimes, { query: { regionId: 'eu' } })).find(({ id }) => id === 'image')

  it('offers no container images on this machine, and tells operators what images need', async () => {
    expect(await image(await world.user())).toBeUndefined()
    expect(await image(await world.user({ email: operatorEmail }))).toMatchObject({
      available: false,
      reason: 'Container images run on Kubernetes only (ENGINE=kubernetes).',
    })
  })
})
