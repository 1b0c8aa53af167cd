import { listReleases, rollBackRelease, viewRelease } from '@slipway/contract/releases'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createWorld, type World } from '../../testing/world.ts'
import { exampleImage, imageReleaseOf, releaseOf } from './releases.fixture.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())

describe('a release of a container image', () => {
  it('has its image with the settings, in the list, alone and after a rollback', async () => {
    const { call, id: userId, teamId } = await world.user()
    const { id: projectId } = await world.project({ teamId, runtime: 'image' })
    const number = await imageReleaseOf(world, { projectId, userId })
    const params = { id: projectId }
    const list = async () => (await call(listReleases, { params, query: {} })).items
    expect(await list()).toMatchObject([{ number, image: exampleImage, files: null }])
    const viewed = await call(viewRelease, { params: { ...params, number: String(number) } })
    expect(viewed.image).toEqual(exampleImage)
    const next = await call(rollBackRelease, { params, body: { number } })
    expect(next).toMatchObject({ rollbackOf: number, image: exampleImage })
    expect((await list())[0]).toEqual(next)
  })

  it('has no image if it has files', async () => {
    const { call, id: userId, teamId } = await world.user()
    const { id } = await releaseOf(world, { teamId, userId })
    const { items } = await call(listReleases, { params: { id }, query: {} })
    expect(items).toMatchObject([{ image: null }])
  })
})
