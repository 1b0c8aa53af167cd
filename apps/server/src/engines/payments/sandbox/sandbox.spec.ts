import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connect, type Database } from '../../../db/connect.ts'
import { newId } from '../../../db/ids.ts'
import { createDatabase } from '../../../testing/database.ts'
import { card, charge, describePaymentGateway, neverAborted, tokenOf } from '../gateway.fixture.ts'
import type { PaymentGateway } from '../gateway.ts'
import { createSandboxGateway, type Way } from './sandbox.gateway.ts'
import { sandboxCards, sandboxCharges } from './sandbox.schema.ts'

const clock = { now: () => new Date('2026-11-02T09:00:00.000Z') }
const noWay: Way = async () => undefined

async function openDatabase() {
  const own = await createDatabase()
  const database = connect(own.options, { onError: () => undefined })
  return {
    ...database,
    async close() {
      await database.close()
      await own.drop()
    },
  }
}

/** How often the card was charged. */
const chargesIn =
  ({ db }: Pick<Database, 'db'>) =>
  async (key: string) => {
    const rows = await db
      .select()
      .from(sandboxCharges)
      .where(eq(sandboxCharges.idempotencyKey, key))
    return rows.filter(({ failure }) => failure === null).length
  }

describePaymentGateway('the sandbox', async () => {
  const database = await openDatabase()
  return {
    gateway: createSandboxGateway({ db: database.db, clock }),
    charges: chargesIn(database),
    close: () => database.close(),
  }
})

describe('the sandbox', () => {
  let database: Database
  let gateway: PaymentGateway
  beforeAll(async () => {
    database = await openDatabase()
    gateway = createSandboxGateway({ db: database.db, clock, way: noWay })
  })
  afterAll(() => database.close())

  it('charges once for 20 calls of one key at the same time, and answers all alike', async () => {
    const asked = charge(await tokenOf(gateway))
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, () => gateway.charge(asked, neverAborted())),
    )
    expect(new Set(outcomes.map((outcome) => JSON.stringify(outcome))).size).toBe(1)
    expect(outcomes[0]).toMatchObject({ state: 'charged' })
    expect(await chargesIn(database)(asked.idempotencyKey)).toBe(1)
  })

  it('refuses a key for another charge than its first one', async () => {
    const [token, other] = [await tokenOf(gateway), await tokenOf(gateway)]
    const asked = charge(token)
    await gateway.charge(asked, neverAborted())
    for (const changed of [{ amount: '12.31' }, { token: other }])
      await expect(gateway.charge({ ...asked, ...changed }, neverAborted())).rejects.toThrow(
        'used for another charge',
      )
    // The same amount, written otherwise.
    await gateway.charge({ ...asked, amount: '12.3' }, neverAborted())
  })

  it('keeps amounts to the cent that no floating-point number could hold', async () => {
    const asked = charge(await tokenOf(gateway), { amount: '900719925474099.37' })
    await gateway.charge(asked, neverAborted())
    const [row] = await database.db
      .select()
      .from(sandboxCharges)
      .where(eq(sandboxCharges.idempotencyKey, asked.idempotencyKey))
    expect(row?.amount).toBe('900719925474099.37')
  })

  it('has not charged a caller who left on the way there, and has one who left on the way back', async () => {
    for (const leaveAt of [1, 2]) {
      const leaving = new AbortController()
      let ways = 0
      const way: Way = async (signal) => {
        ways++
        if (ways === leaveAt) leaving.abort(new Error('the caller timed out'))
        signal.throwIfAborted()
      }
      const away = createSandboxGateway({ db: database.db, clock, way })
      const asked = charge(await tokenOf(gateway))
      await expect(away.charge(asked, leaving.signal)).rejects.toThrow('the caller timed out')
      expect(await chargesIn(database)(asked.idempotencyKey)).toBe(leaveAt - 1)
    }
  })

  it('writes at once, whatever becomes of the transaction it is called in', async () => {
    const key = newId()
    const token = await tokenOf(gateway)
    const failing = database.db.transaction(async () => {
      await gateway.charge(charge(token, { idempotencyKey: key }), neverAborted())
      throw new Error('rolled back')
    })
    await expect(failing).rejects.toThrow('rolled back')
    expect(await gateway.find(key, neverAborted())).toMatchObject({ state: 'charged' })
  })

  it('keeps how a card behaves, and nothing of its number', async () => {
    for (const number of ['4000000000000002', '4000000000000341', '5555555555554444'])
      await tokenOf(gateway, number)
    const rows = await database.db.select().from(sandboxCards)
    expect(new Set(rows.map(({ behaviour }) => behaviour))).toEqual(
      new Set(['charges', 'declines', 'times_out']),
    )
    const { number } = card()
    for (const kept of [number, '4000000000000002', '4000000000000341', '5555555555554444'])
      expect(JSON.stringify(rows)).not.toContain(kept)
  })
})
