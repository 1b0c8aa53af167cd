import type { Outcome, PaymentGateway } from '../gateway.ts'
import { createIyzicoClient, declineError } from './iyzico.client.ts'
import { failureOf, isCardStorageError } from './iyzico.failures.ts'
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
 * The outcome of a payment that the bank accepted. `fraudStatus` 1 is approved, -1 declined and 0
 * under review, so the outcome is unknown (https://docs.iyzico.com/en/advanced/retrieve-payment).
 */
function outcomeOf({ paymentId, fraudStatus }: IyzicoPayment): Outcome {
  if (fraudStatus === 0) throw new Error('iyzico is still reviewing the payment')
  if (fraudStatus === -1) return { state: 'declined', failure: 'card_declined' }
  return { state: 'charged', chargeId: String(paymentId) }
}

/**
 * The outcome when the status check before the charge fails: nothing was sent, the user can retry.
 */
const notCharged = (cause: unknown): Outcome => ({
  state: 'declined',
  failure: 'not_charged',
  cause,
})

/** States of a payment in iyzico's reports; the others belong to unused payment flows. */
const [failed, succeeded] = [0, 1]

/**
 * The iyzico gateway, on iyzico's official package. Payments are not idempotent
 * (https://docs.iyzico.com/en/getting-started/preliminaries/idempotency): so a key
 * is looked up before it is charged. Callers must not charge one key twice at the same time.
 */
export function createIyzicoGateway(config: {
  uri: string
  apiKey: string
  secretKey: string
}): PaymentGateway {
  const iyzico = createIyzicoClient(config)

  /** Every payment with the key; empty when iyzico has never received it. */
  async function fetchReport(idempotencyKey: string, signal: AbortSignal) {
    const result = await iyzico.listPayments(paymentQuery(idempotencyKey), signal)
    if ('failure' in result) throw declineError(result.failure)
    return result.response.payments
  }

  function outcomeOfReport(payments: readonly ReportedPayment[]): Outcome | undefined {
    const paid = payments.find(({ paymentStatus }) => paymentStatus === succeeded)
    if (paid) return outcomeOf(paid)
    if (payments.some(({ paymentStatus }) => paymentStatus !== failed))
      throw new Error('iyzico has not finished the payment')
    return payments.length > 0 ? { state: 'declined', failure: 'card_declined' } : undefined
  }

  return {
    name: 'iyzico',

    async tokenise(card, { customer }, signal) {
      const result = await iyzico.createCard(cardRequest(card, customer), signal)
      if ('response' in result) return { token: tokenOf(result.response) }
      const failure = failureOf(result.failure)
      if (!failure) throw declineError(result.failure)
      return { failure }
    },

    async charge(charge, signal) {
      signal.throwIfAborted()
      const report = await fetchReport(charge.idempotencyKey, signal).catch(notCharged)
      if ('state' in report) return report
      const outcome = outcomeOfReport(report)
      if (outcome) return outcome
      const result = await iyzico.createPayment(paymentRequest(charge), signal)
      if ('response' in result) return outcomeOf(result.response)
      const failure = isCardStorageError(result.failure)
        ? 'card_not_usable'
        : failureOf(result.failure)
      // The outcome is unknown: a status check settles it.
      if (!failure) throw declineError(result.failure)
      return { state: 'declined', failure }
    },

    async find(idempotencyKey, signal) {
      return outcomeOfReport(await fetchReport(idempotencyKey, signal))
    },

    async remove(token, signal) {
      const result = await iyzico.deleteCard(cardRemoval(token), signal)
      if ('failure' in result && !isCardStorageError(result.failure))
        throw declineError(result.failure)
    },
  }
}
