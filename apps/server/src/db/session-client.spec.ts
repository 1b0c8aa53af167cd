import { sql } from 'drizzle-orm'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createDatabase } from '../testing/database.ts'
import { connect } from './connect.ts'
import { startConnectionProxy } from './connection-proxy.fixture.ts'

describe('a connection that breaks while its settings are sent', () => {
  it('fails the query that needs it, and does not end the process', async () => {
    const database = await createDatabase()
    onTestFinished(() => database.drop())
    const proxy = await startConnectionProxy(database.options)
    onTestFinished(() => proxy.close())
    const { db, close } = connect(proxy.options, { onError: () => undefined })
    onTestFinished(close)
    proxy.breakAt('set_config')
    await expect(db.execute(sql`select 1`)).rejects.toMatchObject({
      cause: { message: 'Connection terminated unexpectedly' },
    })
  })
})
