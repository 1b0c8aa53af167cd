import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { hour, minute } from '@slipway/contract/limits'
import { resumeProject, suspendProject } from '@slipway/contract/operator'
import {
  changeProjectDomain,
  changeProjectPower,
  createProject,
  deleteProject,
  type ProjectId,
  renameProject,
  restartProject,
  retryProject,
} from '@slipway/contract/projects'
import { serviceLimits } from '@slipway/contract/service-limits'
import { asc, eq } from 'drizzle-orm'
import fc from 'fast-check'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Context } from '../../context.ts'
import { createDatabase } from '../../testing/database.ts'
import { createWorld, type TestUser, type World } from '../../testing/world.ts'
import { projects } from '../projects/projects.schema.ts'
import { nextStep, runStep } from '../projects/reconciler/reconciler.ts'
import { billedStates, monthEnd, monthStart } from './usage.policy.ts'
import { billingAccounts, usageIntervals } from './usage.schema.ts'
import * as usage from './usage.service.ts'

let world: World
let operator: TestUser
beforeAll(async () => {
  const email = 'operator@example.com'
  world = await createWorld({ OPERATOR_EMAILS: [email] })
  operator = await world.user({ email })
})
afterAll(() => world.close())

const intervalsOf = (id: ProjectId) =>
  world.ctx.db
    .select()
    .from(usageIntervals)
    .where(eq(usageIntervals.projectId, id))
    .orderBy(asc(usageIntervals.startedAt), asc(usageIntervals.id))

async function row(id: ProjectId) {
  const [project] = await world.ctx.db.select().from(projects).where(eq(projects.id, id))
  if (!project) throw new Error('the project is gone')
  return project
}

/** A context whose engine applies at once; `responds` decides whether its sites respond. */
const withSites = (responds: () => boolean): Context => ({
  ...world.ctx,
  engine: {
    ...world.ctx.engine,
    apply: async () => {},
    remove: async () => {},
    metadata: async () => [],
    isHealthy: async () => responds(),
  },
})

/** A context of a process that is killed before each commit. */
const killedContext = (ctx: Context): Context => ({
  ...ctx,
  write: (work) =>
    ctx.write(async (tx) => {
      await work(tx)
      throw new Error('killed')
    }),
})

async function step(ctx: Context, id: ProjectId) {
  const project = await row(id)
  await runStep(ctx, project, nextStep(project, ctx.clock.now()))
}

/** Actions of users and the reconciler, in any order, also those that are rejected. */
const actionNames = [
  'step',
  'killed',
  'silent',
  'domain',
  'rename',
  'retry',
  'stop',
  'start',
  'restart',
  'suspend',
  'resume',
  'late',
  'remove',
] as const
type Action = (typeof actionNames)[number]

let domains = 0
function actionsOn(owner: TestUser, id: ProjectId): Record<Action, () => Promise<unknown>> {
  const params = { id }
  const domain = () => `site-${++domains}.example.com`
  return {
    step: () =>
      step(
        withSites(() => true),
        id,
      ),
    killed: () => step(killedContext(withSites(() => true)), id),
    silent: () =>
      step(
        withSites(() => false),
        id,
      ),
    domain: () => owner.call(changeProjectDomain, { params, body: { domain: domain() } }),
    rename: () => owner.call(renameProject, { params, body: { name: 'Renamed' } }),
    retry: () => owner.call(retryProject, { params }),
    stop: () => owner.call(changeProjectPower, { params, body: { power: 'stopped' } }),
    start: () => owner.call(changeProjectPower, { params, body: { power: 'running' } }),
    restart: () => owner.call(restartProject, { params }),
    suspend: async () => {
      const { key } = await row(id)
      await operator.call(suspendProject, { params: { key }, body: { reason: 'unpaid' } })
    },
    resume: async () => operator.call(resumeProject, { params: { key: (await row(id)).key } }),
    late: async () => world.clock.forward(serviceLimits.projectDeadline),
    remove: () => owner.call(deleteProject, { params }),
  }
}

const create = (owner: TestUser) =>
  owner.call(createProject, {
    body: { name: 'Example site', teamId: owner.teamId, regionId: 'eu', domain: null },
  })

// Mostly reconciler steps; deletions are rare.
const sequences = fc.array(
  fc.record({
    action: fc.oneof(
      { weight: 6, arbitrary: fc.constant<Action>('step') },
      {
        weight: 5,
        arbitrary: fc.constantFrom(...actionNames.filter((action) => action !== 'remove')),
      },
      { weight: 1, arbitrary: fc.constant<Action>('remove') },
    ),
    minutes: fc.integer({ min: 0, max: 300 }),
  }),
  { minLength: 4, maxLength: 25 },
)

describe('usage', () => {
  it('is the time in which a project is ready or modifying and neither stopped nor suspended, after any sequence of actions and kills', async () => {
    await fc.assert(
      fc.asyncProperty(sequences, async (sequence) => {
        const owner = await world.user()
        const { id } = await create(owner)
        let running = 0
        for (const { action, minutes } of sequence) {
          // Rejected and killed actions change nothing; the state shows it.
          await actionsOn(owner, id)
            [action]()
            .catch(() => undefined)
          const { state, power, suspension } = await row(id)
          const billed = billedStates[state] && power === 'running' && suspension === null
          const open = (await intervalsOf(id)).filter(({ endedAt }) => endedAt === null)
          expect(open).toHaveLength(billed ? 1 : 0)
          world.clock.forward(minutes * minute)
          // `late` changes no state and moves the clock itself.
          const ownMinutes = action === 'late' ? serviceLimits.projectDeadline / minute : 0
          if (billed) running += minutes + ownMinutes
        }
        const now = world.clock.now().getTime()
        const intervals = await intervalsOf(id)
        const times = intervals.map(
          ({ startedAt, endedAt }) => (endedAt?.getTime() ?? now) - startedAt.getTime(),
        )
        expect(times.reduce((sum, time) => sum + time, 0) / minute).toBe(running)
        for (const [index, { startedAt }] of intervals.entries())
          expect(startedAt.getTime()).toBeGreaterThanOrEqual(
            intervals[index - 1]?.endedAt?.getTime() ?? 0,
          )
      }),
      { numRuns: 20 },
    )
  })

  it('stays one interval from ready through modifying to ready', async () => {
    const owner = await world.user()
    const { id } = await create(owner)
    const { step: reconcile, domain } = actionsOn(owner, id)
    for (let steps = 0; steps < 3; steps++) await reconcile()
    const from = world.clock.now()
    world.clock.forward(hour)
    await domain()
    expect(await row(id)).toMatchObject({ state: 'modifying' })
    world.clock.forward(hour)
    for (let steps = 0; steps < 2; steps++) await reconcile()
    expect(await row(id)).toMatchObject({ state: 'ready' })
    expect(await intervalsOf(id)).toMatchObject([{ startedAt: from, endedAt: null }])
  })

  it('is paid by the owner of the team, also for a project that another member created', async () => {
    const [owner, member] = [await world.user(), await world.user()]
    await world.join(member, owner.teamId)
    const { id } = await create({ ...member, teamId: owner.teamId })
    const { step: reconcile } = actionsOn(member, id)
    for (let steps = 0; steps < 3; steps++) await reconcile()
    expect(await intervalsOf(id)).toMatchObject([{ userId: owner.id }])
    expect(await usage.findAccount(world.ctx.db, member.id)).toBeUndefined()
    expect(await usage.findAccount(world.ctx.db, owner.id)).toMatchObject({
      billedUntil: monthStart(world.clock.now()),
    })
  })
})

describe('usage recorded by servers whose clocks differ', () => {
  const withOffset = (offset: number): Context => ({
    ...world.ctx,
    clock: { now: () => new Date(world.clock.now().getTime() + offset) },
  })

  const recordState = (
    ctx: Context,
    project: typeof projects.$inferSelect,
    state: 'ready' | 'deleting',
  ) => ctx.write((tx) => usage.recordState(ctx, tx, { ...project, state }))

  it('never ends before its start, nor starts before the previous end', async () => {
    const owner = await world.user()
    const project = await world.project({ teamId: owner.teamId, state: 'creating' })
    const now = world.clock.now()
    await recordState(withOffset(0), project, 'ready')
    await recordState(withOffset(-hour), project, 'deleting')
    await recordState(withOffset(-2 * hour), project, 'ready')
    await recordState(withOffset(hour), project, 'deleting')
    expect(await intervalsOf(project.id)).toMatchObject([
      { startedAt: now, endedAt: now },
      { startedAt: now, endedAt: withOffset(hour).clock.now() },
    ])
  })

  it('neither starts nor ends within a billed period', async () => {
    const owner = await world.user()
    const [first, second] = [
      await world.project({ teamId: owner.teamId, state: 'creating' }),
      await world.project({ teamId: owner.teamId, state: 'creating' }),
    ]
    await recordState(withOffset(0), first, 'ready')
    const billedUntil = monthEnd(world.clock.now())
    await world.ctx.db
      .update(billingAccounts)
      .set({ billedUntil })
      .where(eq(billingAccounts.userId, owner.id))
    await recordState(withOffset(hour), first, 'deleting')
    await recordState(withOffset(hour), second, 'ready')
    expect(await intervalsOf(first.id)).toMatchObject([{ endedAt: billedUntil }])
    expect(await intervalsOf(second.id)).toMatchObject([{ startedAt: billedUntil }])
  })
})

describe('the migration that adds billing', () => {
  const folder = fileURLToPath(new URL('../../db/migrations', import.meta.url))
  const files = readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort()

  it('starts usage and an account for each running project and its owner', async () => {
    const database = await createDatabase()
    const client = new pg.Client({ ...database.options, options: '-c timezone=UTC' })
    await client.connect()
    const migrate = async (which: (name: string) => boolean) => {
      for (const name of files.filter(which))
        await client.query(readFileSync(`${folder}/${name}`, 'utf8'))
    }
    await client.query('drop schema public cascade; create schema public')
    await migrate((name) => name < '0006')
    const id = (last: number) => `00000000-0000-7000-8000-00000000000${last}`
    await client.query(
      `insert into users (id, name, username, email, login_kind, created_at, updated_at)
       values ('${id(1)}', 'Olga', 'olga', 'olga@example.com', 'Email', now(), now())`,
    )
    await client.query(
      `insert into teams (id, name, user_id, created_at, updated_at)
       values ('${id(2)}', 'Team', '${id(1)}', now(), now())`,
    )
    const states = ['ready', 'modifying', 'creating', 'deleted']
    for (const [index, state] of states.entries())
      await client.query(
        `insert into projects (id, team_id, key, region_id, name, state, created_at, updated_at)
         values ('${id(3 + index)}', '${id(2)}', 'key-${index}', 'eu', 'Site', '${state}', now(), now())`,
      )
    await migrate((name) => name >= '0006')
    const { rows } = await client.query(
      `select project_id, usage_intervals.user_id, started_at = billed_until as together, ended_at
       from usage_intervals join billing_accounts using (user_id) order by project_id`,
    )
    expect(rows).toEqual([
      { project_id: id(3), user_id: id(1), together: true, ended_at: null },
      { project_id: id(4), user_id: id(1), together: true, ended_at: null },
    ])
    await client.end()
    await database.drop()
  })
})
