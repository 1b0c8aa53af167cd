import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDatabase } from '../testing/database.ts'
import { until } from '../testing/until.ts'
import { startConnectionProxy } from './connection-proxy.fixture.ts'
import { createLocks, type Locks } from './locks.ts'

const log = { warn: () => undefined }

let database: Awaited<ReturnType<typeof createDatabase>>
let first: Locks
let second: Locks
beforeAll(async () => {
  database = await createDatabase()
  first = createLocks(database.options, log)
  second = createLocks(database.options, log)
})
afterAll(async () => {
  await first.close()
  await second.close()
  await database.drop()
})

/** Starts work under a lock. It lasts until `finish` is called. */
function startLockedWork(locks: Locks, name: string) {
  const started = Promise.withResolvers<void>()
  const finished = Promise.withResolvers<void>()
  const done = locks.exclusively(name, async () => {
    started.resolve()
    await finished.promise
    return 'done'
  })
  return { started: started.promise, done, finish: finished.resolve }
}

describe('createLocks', () => {
  it('skips the work while any process has the lock', async () => {
    const work = startLockedWork(first, 'one')
    await work.started
    expect(await first.exclusively('one', async () => 1)).toBeUndefined()
    expect(await second.exclusively('one', async () => 1)).toBeUndefined()
    expect(await second.exclusively('another', async () => 1)).toBe(1)
    work.finish()
    expect(await work.done).toBe('done')
    expect(await second.exclusively('one', async () => 1)).toBe(1)
  })

  it('releases the lock when the work throws', async () => {
    await expect(
      first.exclusively('two', () => Promise.reject(new Error('broken'))),
    ).rejects.toThrow('broken')
    expect(await second.exclusively('two', async () => 1)).toBe(1)
  })

  it('releases the locks of a dead process at once', async () => {
    const work = startLockedWork(first, 'three')
    await work.started
    const client = new pg.Client(database.options)
    await client.connect()
    await client.query(
      `select pg_terminate_backend(pid) from pg_locks
       where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`,
    )
    await client.end()
    expect(await until(() => second.exclusively('three', async () => 1))).toBe(1)
    work.finish()
    expect(await work.done).toBe('done')
    expect(await first.exclusively('three', async () => 1)).toBe(1)
  })

  it('returns the result when unlocking fails, and ends the lock with its connection', async () => {
    const proxy = await startConnectionProxy(database.options)
    const locksThroughProxy = createLocks(proxy.options, log)
    const work = async () => {
      proxy.break()
      return 'done'
    }
    expect(await locksThroughProxy.exclusively('four', work)).toBe('done')
    expect(await until(() => second.exclusively('four', async () => 1))).toBe(1)
    const failing = locksThroughProxy.exclusively('five', () => {
      proxy.break()
      return Promise.reject(new Error('broken'))
    })
    await expect(failing).rejects.toThrow('broken')
    await locksThroughProxy.close()
    await proxy.close()
  })

  it('returns the result when the connection is lost and reconnecting fails', async () => {
    const proxy = await startConnectionProxy(database.options)
    const connectionLost = Promise.withResolvers<void>()
    const onWarning = () => connectionLost.resolve()
    const locksThroughProxy = createLocks(proxy.options, { warn: onWarning })
    const work = startLockedWork(locksThroughProxy, 'six')
    await work.started
    proxy.delay()
    proxy.break()
    await connectionLost.promise
    const reconnecting = proxy.connected()
    const secondWork = expect(
      locksThroughProxy.exclusively('seven', async () => 1),
    ).rejects.toThrow()
    await reconnecting
    // The first work ends while its connection is being reopened; then that fails too.
    work.finish()
    proxy.break()
    expect(await work.done).toBe('done')
    await secondWork
    await locksThroughProxy.close()
    await proxy.close()
  })
})
