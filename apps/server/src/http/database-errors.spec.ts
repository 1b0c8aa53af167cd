import { listProjects } from '@slipway/contract/projects'
import { listTickets } from '@slipway/contract/support'
import { listTeams } from '@slipway/contract/teams'
import { sql } from 'drizzle-orm'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { errorCodeOf } from '../testing/matchers.ts'
import { until } from '../testing/until.ts'
import { createWorld, type World } from '../testing/world.ts'
import { problemOf } from './errors.ts'

let world: World
beforeEach(async () => {
  world = await createWorld()
})
afterEach(() => world.close())

describe('a locked table', () => {
  it('stops only the calls that need it, which get 503 and Retry-After', async () => {
    const user = await world.user()
    // Caches the session.
    await user.call(listTickets)
    const locker = new pg.Client(world.database.options)
    await locker.connect()
    await locker.query('begin; lock table support_tickets in access exclusive mode')
    try {
      const url = `/api${listTickets.path}`
      const headers = { authorization: `Bearer ${user.token}` }
      const stopped = Array.from({ length: 60 }, () =>
        world.app.server.app.inject({ method: 'GET', url, headers }),
      )
      for (let round = 0; round < 20; round++) {
        await user.call(listProjects)
        await user.call(listTeams)
      }
      for (const response of await Promise.all(stopped)) {
        expect(response.statusCode).toBe(503)
        expect(response.json()).toMatchObject({ code: 503, error: 'unavailable' })
        expect(response.headers['retry-after']).toBe('2')
      }
    } finally {
      await locker.end()
    }
    await user.call(listTickets)
  })
})

describe('an error of the database', () => {
  const raise = (code: string) =>
    world.ctx.db
      .execute(sql.raw(`do $$ begin raise exception 'test' using errcode = '${code}'; end $$`))
      .catch((error: unknown) => error)

  it.each([
    ['57014', 'a statement that took too long'],
    ['55P03', 'a lock that is not released'],
    ['40P01', 'a deadlock'],
    ['40001', 'a serialization failure'],
    ['25006', 'a standby'],
    ['25P03', 'a transaction that was idle for too long'],
    ['53300', 'too many connections'],
    ['53100', 'a full disk'],
    ['57P01', 'a shutdown'],
    ['08006', 'a lost connection'],
  ])('%s (%s) is unavailable, to be retried', async (code) => {
    expect(problemOf(await raise(code))).toMatchObject({ code: 'unavailable' })
  })

  it.each(['23505', '42P01', '22012'])('%s is a failure, not unavailability', async (code) => {
    expect(problemOf(await raise(code))).toBeUndefined()
  })

  it('a write on a standby is unavailable', async () => {
    const writing = world.ctx.db.transaction(
      (tx) => tx.execute(sql`insert into spent_captchas values ('one', now())`),
      { accessMode: 'read only' },
    )
    expect(problemOf(await writing.catch((error: unknown) => error))).toMatchObject({
      code: 'unavailable',
    })
  })

  it('a connection that ends between two statements fails only its transaction', async () => {
    const ended = world.ctx.write(async (tx) => {
      const { rows } = await tx.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`)
      await world.ctx.db.execute(sql`select pg_terminate_backend(${rows[0]?.pid})`)
      await until(async () => {
        const { rowCount } = await world.ctx.db.execute(
          sql`select from pg_stat_activity where pid = ${rows[0]?.pid}`,
        )
        return rowCount === 0
      })
      await tx.execute(sql`select 1`)
    })
    expect(problemOf(await ended.catch((error: unknown) => error))).toMatchObject({
      code: 'unavailable',
    })
    await world.ctx.db.execute(sql`select 1`)
  })

  it('a call that waits too long for a connection of the pool is unavailable', async () => {
    const user = await world.user()
    await user.call(listTeams)
    const finished = Promise.withResolvers<void>()
    const busy = Array.from({ length: 12 }, () => world.ctx.write(() => finished.promise))
    const error = await errorCodeOf(user.call(listTeams)).finally(finished.resolve)
    expect(error).toBe('unavailable')
    await Promise.all(busy)
    await user.call(listTeams)
  })
})

describe('the timeouts', () => {
  it('are short for calls and long for jobs', async () => {
    const timeouts = async ({ db }: Pick<World['ctx'], 'db'>) => {
      const { rows } = await db.execute(sql`
        select current_setting('statement_timeout') as statement,
          current_setting('lock_timeout') as lock,
          current_setting('idle_in_transaction_session_timeout') as idle`)
      return rows[0]
    }
    expect(await timeouts(world.ctx)).toEqual({ statement: '5s', lock: '2s', idle: '10s' })
    const job = { statement: '2min', lock: '20s', idle: '1min' }
    expect(await timeouts(world.ctx.forJobs())).toEqual(job)
  })
})
