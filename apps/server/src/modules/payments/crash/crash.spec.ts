import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { connect } from '../../../db/connect.ts'
import { createDatabase } from '../../../testing/database.ts'
import { payInPeace, payWhileKilled, resolveAll, seeded } from './crash.fixture.ts'
import { complaints, tally } from './ledger.fixture.ts'
import { seedPayments } from './seed.fixture.ts'

/** A database and a place for processes that are killed; both go with the test. */
async function place() {
  const database = await createDatabase()
  const dataDir = await mkdtemp(join(tmpdir(), 'slipway-killed-'))
  const { db, close } = connect(database.options, {
    onError: (error) => {
      throw error
    },
  })
  onTestFinished(async () => {
    await close()
    await database.drop()
    await rm(dataDir, { recursive: true, force: true })
  })
  return { db, given: { database: database.options, dataDir } }
}

describe('60 payments whose processes are killed, at each point twice', () => {
  it('charge every invoice at most once, and every charge is on the invoices it is for', async () => {
    const { db, given } = await place()
    const items = await seedPayments(db, 60)
    const { killedAt } = await payWhileKilled(given, items, { perPoint: 2, random: seeded(1) })
    expect(Object.keys(killedAt).length).toBeGreaterThanOrEqual(5)
    const { unknown } = await tally(db)
    expect(unknown).toBeGreaterThan(0)

    const resolved = await resolveAll(given)
    expect(resolved).toMatchObject({
      succeeded: expect.any(Number),
      not_charged: expect.any(Number),
    })
    expect(await complaints(db)).toEqual([])

    // What was not charged can be paid, and what was charged cannot be once more.
    const before = await tally(db)
    const answers = await payInPeace(given, items)
    expect(await complaints(db)).toEqual([])
    const after = await tally(db)
    expect(after).toMatchObject({
      charges: before.charges + (answers.succeeded ?? 0),
      unknown: 0,
    })
    expect(Object.keys(answers).sort()).toEqual([
      'invoice_already_paid',
      'payment_failed',
      'succeeded',
    ])
    // A dozen processes one after the other, each of which has to start.
  }, 300_000)
})
