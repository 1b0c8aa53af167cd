import { createProject, type ProjectId } from '@slipway/contract/projects'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ApplyOptions, Instance } from '../../../engines/hosting/engine.ts'
import { until } from '../../../testing/until.ts'
import { createWorld, type TestUser, type World } from '../../../testing/world.ts'
import * as store from '../projects.store.ts'
import { sweep } from './sweep.ts'

let world: World
let owner: TestUser

/** Changes of sites with this name end with the test. */
const stuckName = 'Stuck site'
const testEnd = Promise.withResolvers<void>()

/** While true, sites with this name do not respond. */
let areSilent = true
const silentName = 'Silent site'

beforeAll(async () => {
  world = await createWorld()
  await world.host()
  const { engine } = world.ctx
  const { isHealthy, apply } = engine
  Object.assign(engine, {
    apply: async (of: Instance, options: ApplyOptions) => {
      if (of.name === stuckName) await testEnd.promise
      return apply(of, options)
    },
    isHealthy: async (of: Instance) =>
      !(areSilent && of.name === silentName) && (await isHealthy(of)),
  })
  await world.startWorkers()
  owner = await world.user()
})
afterAll(() => world.close())

const newProject = (name: string, { call, teamId }: TestUser = owner) =>
  call(createProject, { body: { name, teamId, regionId: 'eu', domain: null } })

const stateOf = async (id: ProjectId) =>
  (await store.findForReconciler(world.ctx.db, id))?.state ?? 'gone'

async function countJobs(name: string, ...states: string[]) {
  const { rows } = await world.ctx.db.execute<{ state: string }>(
    sql`select state from pgboss.job where name = ${name}`,
  )
  return rows.filter(({ state }) => states.includes(state)).length
}

it('sites that do not respond block no other project, and become ready once they respond', async () => {
  const slow = []
  // More than the queue's concurrency.
  for (let number = 0; number < 8; number++) slow.push(await newProject(silentName))
  await until(async () => (await countJobs('projects.reconcile', 'completed')) === slow.length)
  expect(await countJobs('projects.reconcile', 'created', 'active')).toBe(0)

  const otherProject = await newProject('Example site')
  await until(async () => (await stateOf(otherProject.id)) === 'ready')
  const states = await Promise.all(slow.map(({ id }) => stateOf(id)))
  expect(states).toEqual(slow.map(() => 'creating'))

  areSilent = false
  for (const { id } of slow) await until(async () => (await stateOf(id)) === 'ready')
})

it('a site that does not respond has one slow job, however often the sweep finds it', async () => {
  areSilent = true
  const project = await newProject(silentName)
  for (let round = 1; round <= 3; round++) {
    await sweep(world.ctx)
    await until(async () => (await countJobs('projects.reconcile-unsettled', 'completed')) >= round)
  }
  expect(await countJobs('projects.slow', 'created', 'active')).toBeLessThanOrEqual(2)
  areSilent = false
  await until(async () => (await stateOf(project.id)) === 'ready')
})

it('changes that take long at several sites block no other project', async () => {
  const stuck = []
  const user = await world.user()
  for (let number = 0; number < 8; number++) stuck.push(await newProject(stuckName, user))
  await until(async () => (await countJobs('projects.reconcile', 'active')) === stuck.length)

  const otherProject = await newProject('Example site', user)
  await until(async () => (await stateOf(otherProject.id)) === 'ready')
  const states = await Promise.all(stuck.map(({ id }) => stateOf(id)))
  expect(states).toEqual(stuck.map(() => 'creating'))
  testEnd.resolve()
  for (const { id } of stuck) await until(async () => (await stateOf(id)) === 'ready')
})
