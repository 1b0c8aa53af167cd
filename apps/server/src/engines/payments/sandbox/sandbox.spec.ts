import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connect, type Database } from '../../../db/connect.ts'
import { newId } from '../../../db/ids.ts'
import { createDatabase } from '../../../testing/database.ts'
import { card, charge, describePaymentGateway, neverAborted, tokenOf } from '../gateway.fixture.ts'
import type { PaymentGateway } from '../gateway.ts'
import { createSandboxGateway, type NetworkDelay } from './sandbox.gateway.ts'
import { sandboxCards, sandboxCharges } from './sandbox.schema.ts'

const clock = { now: () => new Date('2026-11-02T09:00:00.000Z') }
const noDelay: NetworkDelay = async () => undefined

async function openDatabase() {
  const emptyDatabase = await createDatabase()
  const database = connect(emptyDatabase.options, { onError: () => undefined })
  return {
    ...database,
    async close() {
      await database.close()
      await emptyDatabase.drop()
    },
  }
}

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
    gateway = createSandboxGateway({ db: database.db, clock, networkDelay: noDelay })
  })
  afterAll(() => database.close())

  it('charges once for 20 concurrent calls with one key, with the same outcome for all', async () => {
    const request = charge(await tokenOf(gateway))
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, () => gateway.charge(request, neverAborted())),
    )
    expect(new Set(outcomes.map((outcome) => JSON.stringify(outcome))).size).toBe(1)
    expect(outcomes[0]).toMatchObject({ state: 'charged' })
    expect(await chargesIn(database)(request.idempotencyKey)).toBe(1)
  })

  it('rejects a key that was used for another charge', async () => {
    const [token, otherToken] = [await tokenOf(gateway), await tokenOf(gateway)]
    const request = charge(token)
    await gateway.charge(request, neverAborted())
    for (const changed of [{ amount: '12.31' }, { token: otherToken }])
      await expect(gateway.charge({ ...request, ...changed }, neverAborted())).rejects.toThrow(
        'used for another charge',
      )
    // The same amount in another notation.
    await gateway.charge({ ...request, amount: '12.3' }, neverAborted())
  })

  it('stores amounts beyond the precision of a double', async () => {
    const request = charge(await tokenOf(gateway), { amount: '900719925474099.37' })
    await gateway.charge(request, neverAborted())
    const [row] = await database.db
      .select()
      .from(sandboxCharges)
      .where(eq(sandboxCharges.idempotencyKey, request.idempotencyKey))
    expect(row?.amount).toBe('900719925474099.37')
  })

  it('charges nothing when aborted on the way to the gateway, and charges when aborted on the way back', async () => {
    for (const abortAt of [1, 2]) {
      const controller = new AbortController()
      let passes = 0
      const networkDelay: NetworkDelay = async (signal) => {
        passes++
        if (passes === abortAt) controller.abort(new Error('the caller timed out'))
        signal.throwIfAborted()
      }
      const flaky = createSandboxGateway({ db: database.db, clock, networkDelay })
      const request = charge(await tokenOf(gateway))
      await expect(flaky.charge(request, controller.signal)).rejects.toThrow('the caller timed out')
      expect(await chargesIn(database)(request.idempotencyKey)).toBe(abortAt - 1)
    }
  })

  it("commits independently of the caller's transaction", async () => {
    const key = newId()
    const token = await tokenOf(gateway)
    const failing = database.db.transaction(async () => {
      await gateway.charge(charge(token, { idempotencyKey: key }), neverAborted())
      throw new Error('rolled back')
    })
    await expect(failing).rejects.toThrow('rolled back')
    expect(await gateway.find(key, neverAborted())).toMatchObject({ state: 'charged' })
  })

  it('stores how a card behaves, and nothing of its number', async () => {
    for (const number of ['4000000000000002', '4000000000000341', '5555555555554444'])
      await tokenOf(gateway, number)
    const rows = await database.db.select().from(sandboxCards)
    expect(new Set(rows.map(({ behavior }) => behavior))).toEqual(
      new Set(['charges', 'declines', 'times_out']),
    )
    const { number } = card()
    for (const cardNumber of [number, '4000000000000002', '4000000000000341', '5555555555554444'])
      expect(JSON.stringify(rows)).not.toContain(cardNumber)
  })
})
