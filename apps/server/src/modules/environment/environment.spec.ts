import { changeEnvironment, listEnvironment } from '@slipway/contract/environment'
import { limits, minute } from '@slipway/contract/limits'
import { deleteProject } from '@slipway/contract/projects'
import { serviceLimits } from '@slipway/contract/service-limits'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { title } from '../../testing/declared-endpoints.ts'
import { errorCodeOf, errorOf } from '../../testing/matchers.ts'
import { createWorld, type World } from '../../testing/world.ts'
import { projects } from '../projects/projects.schema.ts'
import { projectVariables } from './environment.schema.ts'
import { variableColumn } from './environment.sealed.ts'
import { valuesOf } from './environment.service.ts'

const invalidFields = async (call: Promise<unknown>) => Object.keys((await errorOf(call)).fields)

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())

async function newScene() {
  const { call, teamId } = await world.user()
  const { id } = await world.project({ teamId })
  const change = (body: { set?: Record<string, string>; remove?: string[] }) =>
    call(changeEnvironment, { params: { id }, body })
  const names = async () =>
    (await call(listEnvironment, { params: { id } })).variables.map(({ name }) => name)
  const generation = async () =>
    (await world.ctx.db.select().from(projects).where(eq(projects.id, id)))[0]?.generation
  return { id, teamId, call, change, names, generation, values: () => valuesOf(world.ctx, id) }
}

describe(title(listEnvironment), () => {
  it('lists the names by the alphabet, with the time of their last change and no value', async () => {
    const { id, call, change } = await newScene()
    const list = () => call(listEnvironment, { params: { id } })
    expect(await list()).toEqual({ variables: [] })
    await change({ set: { B: 'hidden', A: 'hidden' } })
    const before = world.clock.now().toISOString()
    world.clock.forward(minute)
    await change({ set: { B: 'hidden again' } })
    expect(await list()).toEqual({
      variables: [
        { name: 'A', updatedAt: before },
        { name: 'B', updatedAt: world.clock.now().toISOString() },
      ],
    })
  })
})

describe(title(changeEnvironment), () => {
  it('sets, replaces and removes variables, and returns their names', async () => {
    const { change, names, values } = await newScene()
    await change({ set: { B: '2', A: '1' } })
    expect(await names()).toEqual(['A', 'B'])
    const changed = await change({ set: { A: 'ığüşöç\nnext', C: '' }, remove: ['B', 'UNKNOWN'] })
    expect(changed.variables.map(({ name }) => name)).toEqual(['A', 'C'])
    expect(await values()).toEqual({ A: 'ığüşöç\nnext', C: '' })
  })

  it('seals the values, and neither a response nor the log has them', async () => {
    const { id, change, names } = await newScene()
    const secret = 'do-not-tell-anyone-7'
    const response = await change({ set: { API_KEY: secret } })
    await names()
    await errorCodeOf(change({ set: { 'not a name': secret, PORT: secret } }))
    const rows = await world.ctx.db
      .select()
      .from(projectVariables)
      .where(eq(projectVariables.projectId, id))
    expect(rows[0]?.sealed).toMatch(new RegExp(`^${world.ctx.sealing.currentPrefix()}`))
    for (const text of [JSON.stringify([response, rows]), world.logged.join('')])
      expect(text).not.toContain(secret)
    expect(await variableColumn.reseal(world.ctx.db, world.ctx.sealing)).toBe(0)
  })

  it('sets variables that are deleted with the project', async () => {
    const { id, call, change, values } = await newScene()
    await change({ set: { API_KEY: 'secret' } })
    await call(deleteProject, { params: { id } })
    expect(await values()).toEqual({})
  })

  it('makes a new generation of the site, and none when nothing changes', async () => {
    const { change, generation } = await newScene()
    await change({ set: { A: '1' } })
    expect(await generation()).toBe(2)
    await change({})
    await change({ remove: ['UNKNOWN'] })
    await change({ set: { A: '1' }, remove: ['A'] })
    expect(await generation()).toBe(2)
    await change({ remove: ['A'] })
    expect(await generation()).toBe(3)
  })

  it('leaves variables that have their value already as they are', async () => {
    const { change } = await newScene()
    await change({ set: { A: '1', B: '' } })
    const before = world.clock.now().toISOString()
    world.clock.forward(minute)
    expect(await change({ set: { A: '1', B: '2' } })).toEqual({
      variables: [
        { name: 'A', updatedAt: before },
        { name: 'B', updatedAt: world.clock.now().toISOString() },
      ],
    })
  })

  it('is limited for each user, but for requests that change nothing', async () => {
    const { change } = await newScene()
    for (let times = 0; times < serviceLimits.environmentChangesPerUser; times++)
      await change({ set: { A: String(times) } })
    expect(await errorCodeOf(change({ set: { A: 'x' } }))).toBe('too_many_requests')
    await change({ set: { A: String(serviceLimits.environmentChangesPerUser - 1) } })
    world.clock.forward(serviceLimits.attemptWindow)
    await change({ set: { A: 'x' } })
  })

  it('rejects names that the service sets or that change how a program starts', async () => {
    const { change, names } = await newScene()
    const rejected = [
      ...['PORT', 'Path', 'HOME', 'NODE_OPTIONS', 'LD_PRELOAD', 'http_proxy', 'SLIPWAY_TOKEN'],
      ...['npm_config_registry', 'PHP_INI_SCAN_DIR', '', '1A', 'A-B', 'A B', 'A=B', 'Ğ', 'A\n'],
      'A'.repeat(limits.variableNameMax + 1),
    ]
    for (const name of rejected)
      expect(await errorCodeOf(change({ set: { [name]: 'x' } })), name).toBe('validation_error')
    const tooLong = 'x'.repeat(limits.variableValueBytes + 1)
    expect(await invalidFields(change({ set: { GOOD: 'x', PORT: '1', A: tooLong } }))).toEqual([
      'PORT',
      'A',
    ])
    expect(await names()).toEqual([])
  })

  it('limits the number and the bytes of all variables, also of concurrent requests', async () => {
    const { change, names } = await newScene()
    const many = Object.fromEntries(
      Array.from({ length: limits.variablesPerProject - 1 }, (_, index) => [`A${index}`, '']),
    )
    await change({ set: many })
    const results = await Promise.allSettled(
      Array.from({ length: 3 }, (_, index) => change({ set: { [`B${index}`]: '' } })),
    )
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await names()).toHaveLength(limits.variablesPerProject)

    const otherScene = await newScene()
    const half = 'x'.repeat(serviceLimits.variablesBytes / 2 - 10)
    await otherScene.change({ set: { A: half, B: half } })
    expect(await errorCodeOf(otherScene.change({ set: { C: 'x'.repeat(100) } }))).toBe(
      'variable_limit_reached',
    )
    await otherScene.change({ set: { C: 'x'.repeat(100) }, remove: ['A'] })
    expect(await otherScene.names()).toEqual(['B', 'C'])
  })

  it('rejects a deleted project', async () => {
    const { call, teamId } = await world.user()
    const { id } = await world.project({ teamId, state: 'deleted' })
    const request = { params: { id }, body: { set: { A: '1' } } }
    expect(await errorCodeOf(call(changeEnvironment, request))).toBe(
      'cannot_update_deleted_project',
    )
  })
})
