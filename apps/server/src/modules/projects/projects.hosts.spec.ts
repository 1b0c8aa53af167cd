import { day } from '@slipway/contract/limits'
import { deleteProject, type ProjectState } from '@slipway/contract/projects'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connect } from '../../db/connect.ts'
import { startConnectionProxy } from '../../db/connection-proxy.fixture.ts'
import { newId } from '../../db/ids.ts'
import { listen, type Notifications } from '../../db/notifications.ts'
import { until } from '../../testing/until.ts'
import { createWorld, type TestUser, type World } from '../../testing/world.ts'
import { domains } from '../domains/domains.schema.ts'
import * as events from '../events/events.service.ts'
import { createHostTable } from './projects.hosts.ts'
import { publishChange } from './projects.service.ts'

let world: World
let owner: TestUser
let notifications: Notifications
beforeAll(async () => {
  world = await createWorld()
  owner = await world.user()
  notifications = await listen(world.database.options, [events.channel], world.ctx.log)
})
afterAll(async () => {
  await notifications.close()
  await world.close()
})

const table = () => createHostTable(world.ctx, notifications)

describe('the host table', () => {
  const expected: Record<ProjectState, string | undefined> = {
    pending: 'starting',
    creating: 'starting',
    failed_creating: 'failed',
    ready: 'ready',
    modifying: 'ready',
    deleting: undefined,
    deleted: undefined,
  }
  it.each(Object.entries(expected))('routes to a %s project as %s', async (state, route) => {
    const domain = `${state.replace('_', '-')}.example.com`
    const { key } = await world.project({
      teamId: owner.teamId,
      state: state as ProjectState,
      domain,
    })
    const { find } = await table()
    for (const host of [`${key}.localhost`, domain])
      expect(find(host)).toEqual(route && { key, cluster: 'local', state: route })
  })

  it.each([
    ['stopped', { power: 'stopped' }],
    ['suspended', { suspension: 'unpaid' }],
    ['suspended', { suspension: 'abuse', power: 'stopped' }],
  ] as const)('routes to a %s project of %j', async (state, overrides) => {
    const { key } = await world.project({ teamId: owner.teamId, ...overrides })
    const { find } = await table()
    expect(find(`${key}.localhost`)).toEqual({ key, cluster: 'local', state })
  })

  it('follows created, changed and deleted projects', async () => {
    const { find } = await table()
    const project = await world.project({ teamId: owner.teamId, domain: 'old.example.org' })
    await world.ctx.write((tx) => publishChange(tx, project.id))
    await until(() => find('old.example.org') !== undefined)
    await world.ctx.write(async (tx) => {
      await tx
        .update(domains)
        .set({ host: 'new.example.org' })
        .where(eq(domains.projectId, project.id))
      await publishChange(tx, project.id)
    })
    await until(() => find('new.example.org') !== undefined)
    expect(find('old.example.org')).toBeUndefined()
    await owner.call(deleteProject, { params: { id: project.id } })
    await until(() => find('new.example.org') === undefined)
    expect(find(`${project.key}.localhost`)).toBeUndefined()
  })

  it('routes a moved domain to its new project, in any order of reading the projects', async () => {
    const { find } = await table()
    const domain = 'moved.example.org'
    const before = await world.project({ teamId: owner.teamId, domain })
    await world.ctx.write((tx) => publishChange(tx, before.id))
    await until(() => find(domain)?.key === before.key)
    await world.ctx.db.delete(domains).where(eq(domains.projectId, before.id))
    const after = await world.project({ teamId: owner.teamId, domain })
    await world.ctx.write(async (tx) => {
      await publishChange(tx, after.id)
      await publishChange(tx, before.id)
    })
    await until(() => find(domain)?.key === after.key)
    const fence = await world.project({ teamId: owner.teamId })
    await world.ctx.write((tx) => publishChange(tx, fence.id))
    await until(() => find(`${fence.key}.localhost`) !== undefined)
    expect(find(domain)?.key).toBe(after.key)
  })

  it('redirects names to the primary one, and tells which are for https only', async () => {
    const project = await world.project({ teamId: owner.teamId, domain: 'primary.example.org' })
    const { id, ...primary } = (
      await world.ctx.db.select().from(domains).where(eq(domains.projectId, project.id))
    )[0] as typeof domains.$inferSelect
    await world.ctx.db.insert(domains).values([
      { ...primary, id: newId<'Domain'>(), host: 'www.primary.example.org', role: 'redirect' },
      { ...primary, id: newId<'Domain'>(), host: 'alias.example.org', role: 'alias', hsts: true },
      {
        ...primary,
        id: newId<'Domain'>(),
        host: 'former.example.org',
        role: 'alias',
        hstsEndedAt: new Date(world.clock.now().getTime() - 729 * day),
      },
      {
        ...primary,
        id: newId<'Domain'>(),
        host: 'forgotten.example.org',
        role: 'alias',
        hstsEndedAt: new Date(world.clock.now().getTime() - 731 * day),
      },
      {
        ...primary,
        id: newId<'Domain'>(),
        host: 'unproven.example.org',
        role: 'alias',
        state: 'pending',
      },
    ])
    const { find } = await table()
    expect(find('www.primary.example.org')).toMatchObject({
      key: project.key,
      redirect: { host: 'primary.example.org', status: 308 },
    })
    expect(find('alias.example.org')).toEqual({
      key: project.key,
      cluster: 'local',
      state: 'ready',
      hsts: 'on',
    })
    expect(find('former.example.org')).toEqual({
      key: project.key,
      cluster: 'local',
      state: 'ready',
      hsts: 'off',
    })
    expect(find('forgotten.example.org')).toEqual({
      key: project.key,
      cluster: 'local',
      state: 'ready',
    })
    expect(find('unproven.example.org')).toBeUndefined()
  })

  it('retries a failed read until the database responds again', async () => {
    const proxy = await startConnectionProxy(world.database.options)
    const { db, close } = connect(proxy.options, { connections: 1, onError: () => undefined })
    const { find } = await createHostTable({ ...world.ctx, db }, notifications)
    proxy.refuse()
    proxy.break()
    const project = await world.project({ teamId: owner.teamId })
    await world.ctx.write((tx) => publishChange(tx, project.id))
    await until(() =>
      world.logged.join('').includes('the hosts of the gateway could not be read again'),
    )
    proxy.release()
    const host = `${project.key}.localhost`
    await until(() => find(host) !== undefined)
    expect(find(host)).toEqual({ key: project.key, cluster: 'local', state: 'ready' })
    await close()
    await proxy.close()
  })

  it('ignores a notification that is not an event', async () => {
    const { find } = await table()
    const project = await world.project({ teamId: owner.teamId })
    await world.ctx.db.execute(sql`select pg_notify(${events.channel}, 'no JSON')`)
    await world.ctx.write((tx) => publishChange(tx, project.id))
    await until(() => find(`${project.key}.localhost`) !== undefined)
    expect(find(`${project.key}.localhost`)?.key).toBe(project.key)
  })
})
