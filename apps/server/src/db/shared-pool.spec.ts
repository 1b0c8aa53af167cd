import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createDatabase } from '../testing/database.ts'
import { until } from '../testing/until.ts'
import { connect, type Database } from './connect.ts'
import { createShare } from './shared-pool.ts'
import { isStalled, isUnavailable, StalledError } from './unavailable.ts'

let testDatabase: Awaited<ReturnType<typeof createDatabase>>
let database: Database
let locker: pg.Client
beforeEach(async () => {
  testDatabase = await createDatabase()
  const options = '-c lock_timeout=1s -c timezone=UTC'
  database = connect(
    { ...testDatabase.options, options },
    { connections: 6, onError: () => undefined },
  )
  locker = new pg.Client(testDatabase.options)
  await locker.connect()
  await locker.query('begin; lock table teams in access exclusive mode')
})
afterEach(async () => {
  await database.close()
  await locker.end()
  await testDatabase.drop()
})

const readTeams = () => database.pool.query('select from teams')
const readUsers = () => database.pool.query('select from users')

describe('a pool with shares', () => {
  it('gives the calls of a locked table at most two thirds of the connections', async () => {
    const share = createShare()
    const stalled = Array.from({ length: 20 }, () => share.run(readTeams).catch((error) => error))
    await until(async () => database.pool.totalCount === 4)
    await createShare().run(readUsers)
    await Promise.all(Array.from({ length: 20 }, () => createShare().run(readUsers)))
    const errors = await Promise.all(stalled)
    expect(errors.every(isUnavailable)).toBe(true)
    expect(errors.filter(isStalled)).toHaveLength(4)
    expect(errors.filter((error) => error instanceof StalledError)).toHaveLength(16)
    expect(database.pool.waitingInShares).toBe(0)
  })

  it('admits two calls at once after timeouts, and rejects the others until one succeeds', async () => {
    const shares = [createShare(), createShare(), createShare()]
    const attempt = () => Promise.allSettled(shares.map((share) => share.run(readTeams)))
    await attempt()
    const outcomes = (await attempt()).map((each) => each.status === 'rejected' && each.reason)
    expect(outcomes.map((error) => error instanceof StalledError).sort()).toEqual([
      false,
      false,
      true,
    ])
    await locker.query('rollback')
    for (const share of shares) await share.run(readTeams)
    await Promise.all(shares.flatMap((share) => [1, 2, 3].map(() => share.run(readTeams))))
  })

  it('gets each connection back when it is released, also after an error or a transaction', async () => {
    const share = createShare()
    await locker.query('rollback')
    for (let round = 0; round < 20; round++) {
      await share.run(() => database.db.transaction((tx) => tx.execute('select 1')))
      await share.run(() => database.db.execute('select nothing')).catch(() => undefined)
      await share.run(readTeams)
    }
    const used = Array.from({ length: 12 }, () => share.run(readUsers))
    await expect(Promise.all(used)).resolves.toHaveLength(12)
  })
})
