import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { connect } from '../../../db/connect.ts'
import { createDatabase } from '../../../testing/database.ts'
import { payUninterrupted, payWhileKilled, resolveAll, seeded } from './crash.fixture.ts'
import { findInconsistencies, tally } from './ledger.fixture.ts'
import { seedPayments } from './seed.fixture.ts'

/** A database and a data folder for the processes, removed after the test. */
async function createTarget() {
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
  return { db, target: { database: database.options, dataDir } }
}

describe('60 payments whose processes are killed twice at each step', () => {
  it('charge every invoice at most once, and every charge pays its invoices', async () => {
    const { db, target } = await createTarget()
    const items = await seedPayments(db, 60)
    const { killedAt } = await payWhileKilled(target, items, { perPoint: 2, random: seeded(1) })
    expect(Object.keys(killedAt).length).toBeGreaterThanOrEqual(5)
    const { unknown } = await tally(db)
    expect(unknown).toBeGreaterThan(0)

    const resolved = await resolveAll(target)
    expect(resolved).toMatchObject({
      succeeded: expect.any(Number),
      not_charged: expect.any(Number),
    })
    expect(await findInconsistencies(db)).toEqual([])

    // Uncharged invoices can be paid, charged ones cannot.
    const before = await tally(db)
    const responses = await payUninterrupted(target, items)
    expect(await findInconsistencies(db)).toEqual([])
    const after = await tally(db)
    expect(after).toMatchObject({
      charges: before.charges + (responses.succeeded ?? 0),
      unknown: 0,
    })
    expect(Object.keys(responses).sort()).toEqual([
      'invoice_already_paid',
      'payment_failed',
      'succeeded',
    ])
    // A dozen processes start one after the other.
  }, 300_000)
})
