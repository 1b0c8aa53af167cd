import { changeClusterState, listClusters } from '@slipway/contract/clusters'
import { createProject, deleteProject, viewProject } from '@slipway/contract/projects'
import { inArray } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { title } from '../../testing/declared-endpoints.ts'
import { errorCodeOf } from '../../testing/matchers.ts'
import { createWorld, type TestUser, type World } from '../../testing/world.ts'
import { projects } from '../projects/projects.schema.ts'
import { clusters } from './clusters.schema.ts'
import * as service from './clusters.service.ts'
import * as store from './clusters.store.ts'

const cluster = (name: string, regionId: string, capacity: number | null) => ({
  name,
  regionId,
  context: name,
  capacity,
})

let world: World
let operator: TestUser
beforeAll(async () => {
  world = await createWorld({
    ENGINE: ['kubernetes'],
    KUBERNETES_NETWORK_POLICY: 'trusted',
    KUBERNETES_CLUSTERS: [
      cluster('small', 'eu', 2),
      cluster('large', 'eu', 4),
      cluster('west', 'us', null),
    ],
    OPERATOR_EMAILS: ['operator@example.com'],
  })
  operator = await world.user({ email: 'operator@example.com' })
})
afterAll(() => world.close())
afterEach(async () => {
  await world.ctx.db.update(projects).set({ state: 'deleted', deletedAt: world.clock.now() })
  await world.ctx.db.update(clusters).set({ state: 'open', unreachableSince: null })
})

const changeState = (name: string, state: 'open' | 'full' | 'draining') =>
  operator.call(changeClusterState, { params: { name }, body: { state } })

/** A new project, of a new user by default; resolves with its cluster. */
async function create(regionId = 'eu', user?: TestUser): Promise<string | undefined> {
  const { call, teamId } = user ?? (await world.user())
  const { key } = await call(createProject, {
    body: { name: 'Site', teamId, regionId, domain: null, runtime: 'static' },
  })
  return (await store.clustersOf(world.ctx.db, [key])).get(key)
}

describe(title(createProject), () => {
  it('places a project in the cluster of its region with the most free capacity', async () => {
    expect([await create(), await create(), await create('us')]).toEqual(['large', 'large', 'west'])
    const others = [await create(), await create(), await create(), await create()]
    expect(others.sort()).toEqual(['large', 'large', 'small', 'small'])
  })

  it('rejects a project when its region is full, and tells the operators', async () => {
    for (let number = 1; number <= 6; number++) await create()
    expect(await errorCodeOf(create())).toBe('region_full')
    expect(world.logged.join()).toContain('no cluster of the region has capacity for a new project')
    expect(await create('us')).toBe('west')
  })

  it('never exceeds a capacity, however many creations run at once', async () => {
    const users: TestUser[] = []
    while (users.length < 12) users.push(await world.user())
    const results = await Promise.allSettled(users.map((user) => create('eu', user)))
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(6)
    const counts = await store.list(world.ctx.db, ['small', 'large'])
    expect(counts.map((each) => [each.name, each.projects])).toEqual([
      ['large', 4],
      ['small', 2],
    ])
  })

  it('gives the capacity of a deleted project to the next one', async () => {
    await changeState('large', 'full')
    const { call, teamId } = await world.user()
    const body = { name: 'Site', teamId, regionId: 'eu', domain: null, runtime: 'static' } as const
    const { id, key } = await call(createProject, { body })
    await create()
    expect(await errorCodeOf(create())).toBe('region_full')
    await call(deleteProject, { params: { id } })
    // A worker removes it first.
    expect(await errorCodeOf(create())).toBe('region_full')
    await world.ctx.db
      .update(projects)
      .set({ state: 'deleted', deletedAt: world.clock.now() })
      .where(inArray(projects.key, [key]))
    expect((await call(viewProject, { params: { key } })).state).toBe('deleted')
    expect(await create()).toBe('small')
  })

  it('places a project where the cluster responds, if one has free capacity', async () => {
    await store.setUnreachable(world.ctx.db, ['large'], world.clock.now())
    expect([await create(), await create()]).toEqual(['small', 'small'])
    expect(await create()).toBe('large')
  })
})

describe(title(changeClusterState), () => {
  it.each(['full', 'draining'] as const)(
    'keeps new projects out of a cluster: %s',
    async (state) => {
      expect(await changeState('large', state)).toMatchObject({ name: 'large', state })
      expect(await create()).toBe('small')
      await changeState('large', 'open')
      expect(await create()).toBe('large')
    },
  )

  it('keeps the state of the cluster at the next start', async () => {
    await changeState('west', 'draining')
    await service.register(world.ctx)
    expect((await store.list(world.ctx.db, ['west']))[0]?.state).toBe('draining')
  })

  it('rejects a cluster that the settings do not have', async () => {
    expect(await errorCodeOf(changeState('moon', 'full'))).toBe('item_not_found')
  })
})

describe(title(listClusters), () => {
  it('shows the clusters with their projects, and which do not respond', async () => {
    await create('us')
    const since = world.clock.now()
    await store.setUnreachable(world.ctx.db, ['small'], since)
    world.clock.forward(1_000)
    await store.setUnreachable(world.ctx.db, ['small'], world.clock.now())
    const common = { state: 'open', projects: 0, unreachableSince: null }
    expect(await operator.call(listClusters)).toEqual([
      { ...common, name: 'large', regionId: 'eu', capacity: 4 },
      {
        ...common,
        name: 'small',
        regionId: 'eu',
        capacity: 2,
        unreachableSince: since.toISOString(),
      },
      { ...common, name: 'west', regionId: 'us', capacity: null, projects: 1 },
    ])
  })
})

describe('the start', () => {
  it('names the clusters that have projects and are not configured', async () => {
    const { teamId } = await world.user()
    await world.project({ teamId, cluster: 'unconfigured' })
    await service.register(world.ctx)
    const line = world.logged.find((each) => each.includes('lack clusters'))
    expect(JSON.parse(line ?? '{}').clusters).toEqual(['unconfigured'])
  })
})
