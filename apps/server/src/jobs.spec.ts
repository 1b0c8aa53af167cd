import { setTimeout } from 'node:timers/promises'
import { createProject } from '@slipway/contract/projects'
import { sql } from 'drizzle-orm'
import type { ClientConfig } from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { startConnectionProxy } from './db/connection-proxy.fixture.ts'
import { abandonJob } from './jobs.fixture.ts'
import { type Job, type Jobs, startJobs } from './jobs.ts'
import { collectModules } from './modules.ts'
import { until } from './testing/until.ts'
import { createWorld, type World } from './testing/world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())

const started: Jobs[] = []
afterEach(async () => {
  for (const jobs of started.splice(0)) await jobs.close()
})

/** A process that runs these jobs after `work`, over these connections to the database. */
async function process(
  kinds: Job[],
  pollingInterval = 2,
  connection: ClientConfig = world.database.options,
) {
  const options = { ...connection, worker: true, pollingInterval }
  const jobs = await startJobs(options, kinds, world.ctx.log)
  started.push(jobs)
  return {
    jobs,
    work: () => jobs.work({ ...world.ctx, jobs }),
    send: (...numbers: string[]) =>
      world.ctx.write(async (tx) => {
        for (const number of numbers) await jobs.send(tx, kinds[0]?.name ?? '', { number })
      }),
  }
}

describe('jobs: worker', () => {
  it('a worker fetches the next job as soon as it finishes one', async () => {
    const handled: string[] = []
    const handle: Job['handle'] = async (_ctx, { number = '' }) => void handled.push(number)
    // A job that is not fetched at once would wait for an hour.
    const { send, work } = await process([{ name: 'test.next', concurrency: 1, handle }], 3600)
    await work()
    await send('one', 'two', 'three')
    await until(() => handled.length === 3)
    expect(handled.sort()).toEqual(['one', 'three', 'two'])
  })
})

describe('jobs: schedules', () => {
  const notYet = 'the schedules of the jobs cannot be stored yet'
  const scheduledNames = async () => {
    const { rows } = await world.ctx.db.execute(sql`select name from pgboss.schedule order by name`)
    return rows.map(({ name }) => name)
  }

  it('a job of an earlier version is no longer scheduled', async () => {
    const handle: Job['handle'] = async () => undefined
    const daily = '47 3 * * *'
    const earlier = await process([{ name: 'test.earlier', schedule: daily, handle }])
    await earlier.work()
    expect(await scheduledNames()).toEqual(['test.earlier'])
    const current = await process([{ name: 'test.current', schedule: daily, handle }])
    await current.work()
    expect(await scheduledNames()).toEqual(['test.current'])
  })

  it('are stored once the database is available again, and until then the process can be stopped', async () => {
    const proxy = await startConnectionProxy(world.database.options)
    onTestFinished(() => proxy.close())
    const job = { name: 'test.late', schedule: '47 3 * * *', handle: async () => undefined }
    const { jobs } = await process([job], 2, proxy.options)
    const failed = () => world.logged.filter((text) => text.includes(notYet)).length
    proxy.refuse()
    proxy.break()

    const stopping = new AbortController()
    const stopped = jobs.work({ ...world.ctx, jobs }, stopping.signal)
    await until(() => failed() > 0)
    stopping.abort()
    await expect(stopped).rejects.toThrow('aborted')

    const before = failed()
    const started = jobs.work({ ...world.ctx, jobs })
    await until(() => failed() > before)
    proxy.release()
    await started
    expect(await scheduledNames()).toEqual(['test.late'])
  })
})

describe('jobs: the request that sent a job', () => {
  it('is named in the log lines of the job, and of the jobs that this job sends', async () => {
    const { jobs, work } = await process([
      {
        name: 'test.first',
        handle: (ctx, data) => ctx.write((tx) => ctx.jobs.send(tx, 'test.second', data)),
      },
      {
        name: 'test.second',
        handle: async (ctx, data) => ctx.log.info({ data }, 'the second job'),
      },
    ])
    await work()
    await world.ctx.write((tx) =>
      jobs.ofRequest('the-request').send(tx, 'test.first', { number: 'one' }),
    )
    const line = await until(() => world.logged.find((text) => text.includes('the second job')))
    expect(JSON.parse(line)).toMatchObject({
      job: 'test.second',
      reqId: 'the-request',
      data: { number: 'one' },
    })
  })

  it('is stored with the job, under the id of the response', async () => {
    const user = await world.user()
    const response = await world.app.server.app.inject({
      method: 'POST',
      url: `/api${createProject.path}`,
      headers: { authorization: `Bearer ${user.token}` },
      payload: { name: 'Traced', teamId: user.teamId, regionId: 'eu', domain: null },
    })
    const { id } = response.json<{ id: string }>()
    const { rows } = await world.ctx.db.execute<{ data: object }>(
      sql`select data from pgboss.job where data->>'projectId' = ${id}`,
    )
    expect(rows).toEqual([{ data: { projectId: id, $request: response.headers['x-request-id'] } }])
  })
})

describe('jobs: failures', () => {
  it('a job of a killed process is run by another', async () => {
    const handled: string[] = []
    const handle: Job['handle'] = async (_ctx, { number = '' }) => void handled.push(number)
    const { send, work } = await process([{ name: 'test.killed', handle }])
    await send('one')
    await abandonJob(world.database.options, 'test.killed')
    await work()
    await until(() => handled.length > 0)
    expect(handled).toEqual(['one'])
  })

  it('a job killed in its last attempt becomes a dead letter with its data', async () => {
    const [handled, dead]: [string[], string[]] = [[], []]
    const { send, work } = await process([
      {
        name: 'test.dead',
        handle: async (_ctx, { number = '' }) => void handled.push(number),
        deadLetter: async (_ctx, { number = '' }) => void dead.push(number),
      },
    ])
    await send('one')
    await abandonJob(world.database.options, 'test.dead', { last: true })
    await work()
    await until(() => dead.length > 0)
    expect([handled, dead]).toEqual([[], ['one']])
  })

  it('a job that the shutdown ends is no error', async () => {
    const stopping = new AbortController()
    const running = Promise.withResolvers<void>()
    const { jobs, send } = await process([
      {
        name: 'test.stopped',
        handle: async ({ stopping: signal }) => {
          running.resolve()
          await setTimeout(3_600_000, undefined, { signal })
        },
      },
    ])
    const ctx = { ...world.ctx, jobs, stopping: stopping.signal }
    await jobs.work({ ...ctx, forJobs: () => ctx })
    await send('one')
    await running.promise
    stopping.abort()
    const ofJob = (text: string) => text.includes('"job":"test.stopped"')
    const line = await until(() => world.logged.find(ofJob))
    expect(JSON.parse(line)).toMatchObject({
      msg: 'the shutdown ended the job, which is tried again',
    })
  })

  it('a job that fails its last attempt becomes a dead letter', async () => {
    const dead: string[] = []
    const { send, work } = await process([
      {
        name: 'test.failed',
        options: { retryLimit: 0 },
        handle: () => Promise.reject(new Error('broken')),
        deadLetter: async (_ctx, { number = '' }) => void dead.push(number),
      },
    ])
    await work()
    await send('one')
    await until(() => dead.length > 0)
    expect(dead).toEqual(['one'])
  })
})

describe('jobs of the modules', () => {
  it('are retried, or sent again by a sweep', async () => {
    const { jobs } = collectModules()
    const once = jobs.filter(({ options }) => options?.retryLimit === 0)
    // The sweep sends these again while work remains.
    expect(once.map(({ name }) => name)).toEqual([
      'certificates.process',
      'invoices.issue-due',
      'payments.resolve',
      'projects.reconcile-unsettled',
      'projects.move',
      'domains.check',
      'site-restores.run',
    ])
  })
})
