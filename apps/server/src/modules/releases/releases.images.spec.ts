import { deployImage, listReleases, rollBackRelease, viewRelease } from '@slipway/contract/releases'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { title } from '../../testing/declared-endpoints.ts'
import { errorCodeOf, errorOf } from '../../testing/matchers.ts'
import { createWorld, type World } from '../../testing/world.ts'
import { offerAllRuntimes } from '../runtimes/runtimes.fixture.ts'
import { exampleImage, imageReleaseOf, releaseOf } from './releases.fixture.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())

describe('a release of a container image', () => {
  it('has its image with the settings, in the list, alone and after a rollback', async () => {
    offerAllRuntimes(world)
    onTestFinished(() => void vi.restoreAllMocks())
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

// The specs of the cluster deploy images.
describe(title(deployImage), () => {
  async function newProject(runtime: 'image' | 'static' = 'image') {
    const { call, teamId } = await world.user()
    const { id } = await world.project({ teamId, runtime })
    const deploy = (changes: Partial<typeof exampleImage> = {}) =>
      call(deployImage, { params: { id }, body: { ...exampleImage, ...changes } })
    return { id, call, deploy }
  }

  it('rejects an image where nothing runs images', async () => {
    const { id, call, deploy } = await newProject()
    expect(await errorCodeOf(deploy())).toBe('runtime_not_available')
    expect((await call(listReleases, { params: { id }, query: {} })).items).toEqual([])
  })

  it.each([
    ['an image without its digest', { reference: 'ghcr.io/acme/shop:latest' }, 'reference'],
    ['a port that does not exist', { port: 70_000 }, 'port'],
    ['the user root', { userId: 0 }, 'userId'],
    ['a volume that hides the files of the image', { dataPath: '/' }, 'dataPath'],
  ])('rejects %s', async (_what, changes, field) => {
    const { deploy } = await newProject()
    const { code, fields } = await errorOf(deploy(changes))
    expect([code, Object.keys(fields)]).toEqual(['validation_error', [field]])
  })
})
