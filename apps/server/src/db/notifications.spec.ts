import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createDatabase } from '../testing/database.ts'
import { until } from '../testing/until.ts'
import { type ConnectionProxy, startConnectionProxy } from './connection-proxy.fixture.ts'
import { listen, type Notifications } from './notifications.ts'

const log = { warn: () => undefined }

let database: Awaited<ReturnType<typeof createDatabase>>
let proxy: ConnectionProxy
beforeAll(async () => {
  database = await createDatabase()
})
afterAll(() => database.drop())
beforeEach(async () => {
  proxy = await startConnectionProxy(database.options)
})
afterEach(() => proxy.close())

async function notify(channel: string, payload: string) {
  const client = new pg.Client(database.options)
  await client.connect()
  await client.query('select pg_notify($1, $2)', [channel, payload])
  await client.end()
}

function payloadsOf(notifications: Notifications, channel: string) {
  const payloads: string[] = []
  notifications.on(channel, (payload) => payloads.push(payload))
  return () => until(() => payloads.shift())
}

describe('listen', () => {
  it('receives payloads, reconnects and reports the gap', async () => {
    const notifications = await listen(proxy.options, ['one', 'two'], log)
    const [firstPayloads, secondPayloads] = [
      payloadsOf(notifications, 'one'),
      payloadsOf(notifications, 'two'),
    ]
    await notify('one', 'first')
    expect(await firstPayloads()).toBe('first')
    const gap = new Promise<void>((resolve) => notifications.onGap(resolve))
    proxy.break()
    await until(() => !notifications.connected)
    await gap
    expect(notifications.connected).toBe(true)
    await notify('two', 'second')
    expect(await secondPayloads()).toBe('second')
    await notifications.close()
  })

  it('leaves no connection when it cannot listen', async () => {
    // PostgreSQL rejects a channel without a name.
    await expect(listen(proxy.options, [''], log)).rejects.toThrow('zero-length')
    await until(() => proxy.connectionCount === 0)
    expect(proxy.connectionCount).toBe(0)
  })

  it('leaves no connection when it closes while reconnecting', async () => {
    const notifications = await listen(proxy.options, ['one'], log)
    let gaps = 0
    notifications.onGap(() => gaps++)
    proxy.delay()
    const reconnecting = proxy.connected()
    proxy.break()
    await reconnecting
    const closed = notifications.close()
    proxy.release()
    await closed
    await until(() => proxy.connectionCount === 0)
    expect(notifications.connected).toBe(false)
    expect(gaps).toBe(0)
  })
})
