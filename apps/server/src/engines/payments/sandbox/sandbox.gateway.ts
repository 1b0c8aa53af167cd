import { setTimeout as after } from 'node:timers/promises'
import { money } from '@slipway/contract/money'
import type { Clock } from '../../../clock.ts'
import type { Db } from '../../../db/connect.ts'
import { newId } from '../../../db/ids.ts'
import type { Outcome, PaymentGateway } from '../gateway.ts'
import type { sandboxBehaviours } from './sandbox.schema.ts'
import * as store from './sandbox.store.ts'

type Behaviour = (typeof sandboxBehaviours)[number]

/** The numbers whose cards do not simply charge. */
const behaviours: Record<string, Behaviour> = {
  '4000000000000002': 'declines',
  '4000000000000341': 'times_out',
}

/** One way over the network that the sandbox does not have: rejects when the signal aborts. */
export type Way = (signal: AbortSignal) => Promise<unknown>

/** In milliseconds: what a gateway in the same country takes, there or back. */
const oneWay = 15

const noAnswer = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    const leave = () => reject(signal.reason)
    if (signal.aborted) leave()
    else signal.addEventListener('abort', leave, { once: true })
  })

const shortWay: Way = (signal) => Promise.race([after(oneWay), noAnswer(signal)])

const outcomeOf = ({ failure, chargeId }: store.SandboxCharge): Outcome =>
  failure === null ? { state: 'charged', chargeId } : { state: 'declined', failure }

/**
 * A gateway that charges nobody, for development, demonstrations and tests, and otherwise as real as one:
 * it keeps its own record of cards and charges, takes its time, and may be left in the middle of a call.
 * Never call it within a transaction: it writes at once, whatever becomes of that. A number decides how its
 * card behaves and is kept nowhere.
 */
export function createSandboxGateway({
  db,
  clock,
  way = shortWay,
}: {
  db: Db
  clock: Clock
  /** Passed before each call is done, and again before it is answered. */
  way?: Way
}): PaymentGateway {
  /** Does it where the gateway is, whether or not the caller is still there for the answer. */
  async function call<Answer>(signal: AbortSignal, work: () => Promise<Answer>) {
    signal.throwIfAborted()
    await way(signal)
    signal.throwIfAborted()
    const answer = await work()
    await way(signal)
    return answer
  }

  return {
    name: 'sandbox',

    tokenise: (card, _of, signal) =>
      call(signal, async () => {
        const token = `sandbox-${newId()}`
        const behaviour = behaviours[card.number] ?? 'charges'
        await store.insertCard(db, { token, behaviour, createdAt: clock.now() })
        return { token }
      }),

    async charge({ idempotencyKey, token, amount }, signal) {
      const made = await call(signal, () =>
        store.charge(db, { idempotencyKey, token, amount, createdAt: clock.now() }),
      )
      if (!made) return { state: 'declined', failure: 'card_not_usable' }
      const { charge, behaviour } = made
      if (charge.token !== token || !money(charge.amount).eq(money(amount)))
        throw new Error('the idempotency key has been used for another charge')
      return behaviour === 'times_out' ? noAnswer(signal) : outcomeOf(charge)
    },

    find: (idempotencyKey, signal) =>
      call(signal, async () => {
        const charge = await store.findCharge(db, idempotencyKey)
        return charge && outcomeOf(charge)
      }),

    remove: (token, signal) => call(signal, () => store.removeCard(db, token, clock.now())),
  }
}
