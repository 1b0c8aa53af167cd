import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDatabase } from '../testing/database.ts'
import { until } from '../testing/until.ts'
import { startConnectionProxy } from './connection-proxy.fixture.ts'
import { createLocks, type Locks } from './locks.ts'

const log = { warn: () => undefined }

let database: Awaited<ReturnType<typeof createDatabase>>
let locks: Locks[]
beforeAll(async () => {
  database = await createDatabase()
  // As in two processes.
  locks = [createLocks(database.options, log), createLocks(database.options, log)]
})
afterAll(async () => {
  for (const each of locks) await each.close()
  await database.drop()
})

const [first, second] = [() => locks[0] as Locks, () => locks[1] as Locks]

/** Work that lasts until it is released. */
function holdLock(by: Locks, name: string) {
  let letGo = () => {}
  const gate = new Promise<void>((resolve) => {
    letGo = resolve
  })
  let onStart = () => {}
  const started = new Promise<void>((resolve) => {
    onStart = resolve
  })
  const done = by.exclusively(name, async () => {
    onStart()
    await gate
    return 'done'
  })
  return { started, done, letGo }
}

describe('createLocks', () => {
  it('work of a locked name is skipped, in this and other processes, until the lock is released', async () => {
    const work = holdLock(first(), 'one')
    await work.started
    expect(await first().exclusively('one', async () => 1)).toBeUndefined()
    expect(await second().exclusively('one', async () => 1)).toBeUndefined()
    expect(await second().exclusively('another', async () => 1)).toBe(1)
    work.letGo()
    expect(await work.done).toBe('done')
    expect(await second().exclusively('one', async () => 1)).toBe(1)
  })

  it('work that throws releases the lock', async () => {
    await expect(
      first().exclusively('two', () => Promise.reject(new Error('broken'))),
    ).rejects.toThrow('broken')
    expect(await second().exclusively('two', async () => 1)).toBe(1)
  })

  it('the locks of a dead process are released at once', async () => {
    const work = holdLock(first(), 'three')
    await work.started
    const client = new pg.Client(database.options)
    await client.connect()
    await client.query(
      `select pg_terminate_backend(pid) from pg_locks
       where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`,
    )
    await client.end()
    expect(await until(() => second().exclusively('three', async () => 1))).toBe(1)
    work.letGo()
    expect(await work.done).toBe('done')
    expect(await first().exclusively('three', async () => 1)).toBe(1)
  })

  it('work returns its result when unlocking fails, and the lock ends with its connection', async () => {
    const proxy = await startConnectionProxy(database.options)
    const distant = createLocks(proxy.options, log)
    const work = async () => {
      proxy.break()
      return 'done'
    }
    expect(await distant.exclusively('four', work)).toBe('done')
    expect(await until(() => second().exclusively('four', async () => 1))).toBe(1)
    const failing = distant.exclusively('five', () => {
      proxy.break()
      return Promise.reject(new Error('broken'))
    })
    await expect(failing).rejects.toThrow('broken')
    await distant.close()
    await proxy.close()
  })

  it('work returns its result when its connection broke and reconnecting fails', async () => {
    const proxy = await startConnectionProxy(database.options)
    let tell = () => {}
    const lost = new Promise<void>((resolve) => {
      tell = resolve
    })
    const distant = createLocks(proxy.options, { warn: () => tell() })
    const work = holdLock(distant, 'six')
    await work.started
    proxy.hold()
    proxy.break()
    await lost
    const again = proxy.connected()
    const other = expect(distant.exclusively('seven', async () => 1)).rejects.toThrow()
    await again
    // Now a new connection is being opened, and fails.
    work.letGo()
    proxy.break()
    expect(await work.done).toBe('done')
    await other
    await distant.close()
    await proxy.close()
  })
})
