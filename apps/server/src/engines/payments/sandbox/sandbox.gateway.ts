import { setTimeout as after } from 'node:timers/promises'
import { money } from '@slipway/contract/money'
import type { Clock } from '../../../clock.ts'
import type { Db } from '../../../db/connect.ts'
import { newId } from '../../../db/ids.ts'
import type { Outcome, PaymentGateway } from '../gateway.ts'
import type { sandboxBehaviors } from './sandbox.schema.ts'
import * as store from './sandbox.store.ts'

type Behavior = (typeof sandboxBehaviors)[number]

/** The card numbers with another behavior than charging. */
const behaviors: Record<string, Behavior> = {
  '4000000000000002': 'declines',
  '4000000000000341': 'times_out',
}

/** Simulates the network in one direction; rejects when the signal aborts. */
export type NetworkDelay = (signal: AbortSignal) => Promise<unknown>

/** The latency of a gateway in the same country, in milliseconds. */
const oneWayDelay = 15

const neverResponds = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    const abort = () => reject(signal.reason)
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { once: true })
  })

const defaultDelay: NetworkDelay = (signal) =>
  Promise.race([after(oneWayDelay), neverResponds(signal)])

const outcomeOf = ({ failure, chargeId }: store.SandboxCharge): Outcome =>
  failure === null ? { state: 'charged', chargeId } : { state: 'declined', failure }

/**
 * A stand-in for a payment gateway, for development, demos and tests. It keeps its own record of
 * cards and charges, and simulates latency and timeouts. Card numbers decide the behavior and are
 * not stored. Never call it within a transaction: it commits its own writes.
 */
export function createSandboxGateway({
  db,
  clock,
  networkDelay = defaultDelay,
}: {
  db: Db
  clock: Clock
  /** Awaited before and after the work of each call. */
  networkDelay?: NetworkDelay
}): PaymentGateway {
  /** Runs the work of a call, which completes even if the caller aborts afterwards. */
  async function call<Response>(signal: AbortSignal, work: () => Promise<Response>) {
    signal.throwIfAborted()
    await networkDelay(signal)
    signal.throwIfAborted()
    const response = await work()
    await networkDelay(signal)
    return response
  }

  return {
    name: 'sandbox',

    tokenise: (card, _of, signal) =>
      call(signal, async () => {
        const token = `sandbox-${newId()}`
        const behavior = behaviors[card.number] ?? 'charges'
        await store.insertCard(db, { token, behavior, createdAt: clock.now() })
        return { token }
      }),

    async charge({ idempotencyKey, token, amount }, signal) {
      const result = await call(signal, () =>
        store.charge(db, { idempotencyKey, token, amount, createdAt: clock.now() }),
      )
      if (!result) return { state: 'declined', failure: 'card_not_usable' }
      const { charge, behavior } = result
      if (charge.token !== token || !money(charge.amount).eq(money(amount)))
        throw new Error('the idempotency key has been used for another charge')
      return behavior === 'times_out' ? neverResponds(signal) : outcomeOf(charge)
    },

    find: (idempotencyKey, signal) =>
      call(signal, async () => {
        const charge = await store.findCharge(db, idempotencyKey)
        return charge && outcomeOf(charge)
      }),

    remove: (token, signal) => call(signal, () => store.removeCard(db, token, clock.now())),
  }
}
