import { signUp } from '@slipway/contract/auth'
import { hour, second } from '@slipway/contract/limits'
import { createProject, deleteProject, viewProject } from '@slipway/contract/projects'
import { login } from '@slipway/contract/sessions'
import { sql } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type App, createApp } from '../app.ts'
import { usageIntervals } from '../modules/usage/usage.schema.ts'
import { until } from '../testing/until.ts'
import { createWorld, type World } from '../testing/world.ts'

let world: World
const apps: App[] = []
beforeEach(async () => {
  world = await createWorld({}, new Date())
})
afterEach(async () => {
  vi.unstubAllGlobals()
  for (const app of apps.splice(0)) await app.close({ stopSites: true })
  await world.close()
})

/** Moves the clock of this machine, but not the database's. */
function moveMachineClock(milliseconds: number) {
  const RealDate = Date
  class MovedDate extends RealDate {
    constructor(...values: []) {
      if (values.length === 0) super(MovedDate.now())
      else super(...values)
    }
    static override now = () => RealDate.now() + milliseconds
  }
  vi.stubGlobal('Date', MovedDate)
}

/** Another server, with the clock of the service instead of the test's. */
async function serverWithoutTestClock() {
  const { env, database, ctx } = world
  const app = await createApp({ env, database: database.options, log: ctx.log })
  apps.push(app)
  await app.server.app.ready()
  return app
}

async function databaseTime() {
  const { rows } = await world.ctx.db.execute<{ time: string }>(
    sql`select extract(epoch from clock_timestamp()) * 1000 as time`,
  )
  return Number(rows[0]?.time)
}

describe.each([
  ['an hour ahead', hour],
  ['an hour behind', -hour],
])('a server whose clock is %s', (direction, difference) => {
  it("uses the database's time, and logs the difference once", async () => {
    moveMachineClock(difference)
    const { ctx } = await serverWithoutTestClock()
    expect(Math.abs(ctx.clock.now().getTime() - (await databaseTime()))).toBeLessThan(10 * second)
    const lines = world.logged.filter((line) => line.includes("the database's, whose time is used"))
    expect(lines).toHaveLength(1)
    expect(lines[0]).toContain(direction.endsWith('ahead') ? '3600 s ahead of' : '3600 s behind')
  })

  it("uses the database's time also when its clock is moved after the start", async () => {
    const { ctx } = await serverWithoutTestClock()
    moveMachineClock(difference)
    expect(Math.abs(ctx.clock.now().getTime() - (await databaseTime()))).toBeLessThan(10 * second)
  })

  it('creates and deletes the projects that another server accepted', async () => {
    const user = await world.user()
    moveMachineClock(difference)
    const worker = await serverWithoutTestClock()
    await worker.host()
    await worker.ctx.jobs.work(worker.ctx)
    const project = await user.call(createProject, {
      body: { name: 'Example', teamId: user.teamId, regionId: 'eu', domain: null },
    })
    const params = { id: project.id }
    const { key } = project
    const stateOf = async () => (await user.call(viewProject, { params: { key } })).state
    await until(async () => !['pending', 'creating'].includes(await stateOf()))
    expect(await stateOf()).toBe('ready')
    await user.call(deleteProject, { params })
    await until(async () => (await stateOf()) === 'deleted')
    const [interval] = await world.ctx.db.select().from(usageIntervals)
    const { startedAt, endedAt } = interval ?? {}
    expect((endedAt?.getTime() ?? 0) - (startedAt?.getTime() ?? 0)).toBeLessThan(10 * 60 * second)
  })

  it('accepts the captchas and sessions of another server', async () => {
    const captcha = await world.captcha()
    moveMachineClock(difference)
    const app = await serverWithoutTestClock()
    const guest = world.client(null, 'en', app)
    const account = { email: 'ada@example.com', password: 'Correct-horse7' }
    await guest(signUp, { body: { ...account, name: 'Ada', __captcha_solution__: captcha } })
    const { token } = await guest(login, { body: account })
    expect(await world.ctx.sessions.authenticate(token)).not.toBeNull()
  })
})
