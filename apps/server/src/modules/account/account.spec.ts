import { getProfile, updateProfileName } from '@slipway/contract/account'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { refused } from '../../testing/matchers.ts'
import { createWorld, type World } from '../../testing/world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())

describe('GET /account/profile/user', () => {
  it('gives the user and nothing that is the server’s alone', async () => {
    const { call, id, name, email } = await world.user()
    const username = email.split('@')[0]
    expect(await call(getProfile)).toEqual({ id, name, username, email, loginKind: 'Email' })
  })
})

describe('PUT /account/profile/update/name', () => {
  it('changes the name, trimmed, for the next call too', async () => {
    const { call } = await world.user()
    expect(await call(updateProfileName, { body: { name: '  New Name ' } })).toMatchObject({
      name: 'New Name',
    })
    expect((await call(getProfile)).name).toBe('New Name')
  })

  it('asks for three characters and at most a hundred', async () => {
    const { call } = await world.user()
    const short = await refused(call(updateProfileName, { body: { name: ' a ' } }))
    expect(short.fields).toEqual({ name: 'Please enter a name' })
    const long = await refused(call(updateProfileName, { body: { name: 'x'.repeat(101) } }))
    expect(long.fields).toEqual({ name: 'This is too long' })
  })
})
