import type { CardAssociation } from '@slipway/contract/card-associations'
import type { PaymentFailure } from '@slipway/contract/invoices'
import type { BillingFields } from '@slipway/contract/payment-methods'

/** A card as the holder enters it. Passed only to a gateway: never stored, logged or shown. */
export type Card = {
  holderName: string
  number: string
  expireMonth: number
  expireYear: number
}

/** The cardholder's account, for gateways that require it. `address` is the client's IP address. */
export type Customer = { id: string; name: string; email: string; address: string | undefined }

export type Charge = {
  /** The payment's id: a gateway charges at most once per key. */
  idempotencyKey: string
  /** From `tokenise`. */
  token: string
  /** US dollars with two decimals. */
  amount: string
  customer: Customer
  billing: BillingFields
}

/** The final outcome of a charge. */
export type Outcome =
  | { state: 'charged'; chargeId: string }
  /** `cause`: why the charge was not sent, for the log. */
  | { state: 'declined'; failure: PaymentFailure; cause?: unknown }

/**
 * A payment gateway: stores cards as tokens and charges them. Every call ends when `signal` aborts.
 * It rejects if the outcome is unknown, as after an abort or a missing or invalid response.
 */
export type PaymentGateway = {
  /** Stored with each card and payment: tokens of one gateway are unknown to others. */
  name: string
  /**
   * Stores a card at the gateway and returns its token, or the reason why the gateway declines the
   * card.
   */
  tokenise(
    card: Card,
    of: { customer: Customer; billing: BillingFields; association: CardAssociation },
    signal: AbortSignal,
  ): Promise<{ token: string } | { failure: PaymentFailure }>
  /**
   * Charges a card, once per idempotency key. Rejects when the outcome is unknown: call `find`
   * later, never `charge` again. Resolves to `declined` with `not_charged` when the charge was
   * certainly not sent.
   */
  charge(charge: Charge, signal: AbortSignal): Promise<Outcome>
  /** The outcome of the charge with this key; undefined when the gateway has never received it. */
  find(idempotencyKey: string, signal: AbortSignal): Promise<Outcome | undefined>
  /** Removes a card from the gateway. Idempotent: an unknown token is not an error. */
  remove(token: string, signal: AbortSignal): Promise<void>
}
