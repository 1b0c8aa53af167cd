import type { Outcome, PaymentGateway } from '../gateway.ts'
import { createIyzicoClient, refusal } from './iyzico.client.ts'
import { failureOf, isUnknownCard } from './iyzico.failures.ts'
import {
  cardRemoval,
  cardRequest,
  paymentQuery,
  paymentRequest,
  tokenOf,
} from './iyzico.requests.ts'

type IyzicoPayment = {
  paymentId: string | number
  fraudStatus?: number | null | undefined
}

type ReportedPayment = IyzicoPayment & { paymentStatus: number }

/**
 * What became of a payment that the bank took. iyzico may look at it for fraud: 1 is approved, -1 declined,
 * and 0 still looked at, so that nobody knows (https://docs.iyzico.com/en/advanced/retrieve-payment).
 */
function outcomeOf({ paymentId, fraudStatus }: IyzicoPayment): Outcome {
  if (fraudStatus === 0) throw new Error('iyzico is still looking at the payment')
  if (fraudStatus === -1) return { state: 'declined', failure: 'card_declined' }
  return { state: 'charged', chargeId: String(paymentId) }
}

/**
 * What became of a charge before which iyzico did not say whether it has heard of its key: nothing was sent,
 * and never will be, for a payment charges once. So whoever pays can try again at once.
 */
const heldBack = (cause: unknown): Outcome => ({ state: 'declined', failure: 'not_charged', cause })

/** States of a payment in iyzico's reports; the others belong to ways of paying that we do not use. */
const [failed, succeeded] = [0, 1]

/**
 * Cards at iyzico, by its official package. Its payments are not idempotent
 * (https://docs.iyzico.com/en/getting-started/preliminaries/idempotency): a key that it has heard of is
 * looked up instead of being charged again, and its callers never charge one key twice at the same time.
 */
export function createIyzicoGateway(config: {
  uri: string
  apiKey: string
  secretKey: string
}): PaymentGateway {
  const iyzico = createIyzicoClient(config)

  /** The report lists every payment of the key, and none when there is none: that is how we know. */
  async function reportOf(idempotencyKey: string, signal: AbortSignal) {
    const found = await iyzico.listPayments(paymentQuery(idempotencyKey), signal)
    if ('failure' in found) throw refusal(found.failure)
    return found.answer.payments
  }

  function heardOf(payments: readonly ReportedPayment[]): Outcome | undefined {
    const paid = payments.find(({ paymentStatus }) => paymentStatus === succeeded)
    if (paid) return outcomeOf(paid)
    if (payments.some(({ paymentStatus }) => paymentStatus !== failed))
      throw new Error('iyzico has not finished the payment')
    return payments.length > 0 ? { state: 'declined', failure: 'card_declined' } : undefined
  }

  return {
    name: 'iyzico',

    async tokenise(card, { customer }, signal) {
      const made = await iyzico.createCard(cardRequest(card, customer), signal)
      if ('answer' in made) return { token: tokenOf(made.answer) }
      const failure = failureOf(made.failure)
      if (!failure) throw refusal(made.failure)
      return { failure }
    },

    async charge(charge, signal) {
      signal.throwIfAborted()
      const report = await reportOf(charge.idempotencyKey, signal).catch(heldBack)
      if ('state' in report) return report
      const known = heardOf(report)
      if (known) return known
      const made = await iyzico.createPayment(paymentRequest(charge), signal)
      if ('answer' in made) return outcomeOf(made.answer)
      const failure = isUnknownCard(made.failure) ? 'card_not_usable' : failureOf(made.failure)
      // Whether the card was charged is then asked after.
      if (!failure) throw refusal(made.failure)
      return { state: 'declined', failure }
    },

    async find(idempotencyKey, signal) {
      return heardOf(await reportOf(idempotencyKey, signal))
    },

    async remove(token, signal) {
      const removed = await iyzico.deleteCard(cardRemoval(token), signal)
      if ('failure' in removed && !isUnknownCard(removed.failure)) throw refusal(removed.failure)
    },
  }
}
