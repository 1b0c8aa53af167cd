import type { CardAssociation } from '@slipway/contract/cards'
import type { PaymentFailure } from '@slipway/contract/invoices'
import type { BillingFields } from '@slipway/contract/payment-methods'

/** A card as its holder types it in. It is handed to a gateway, and kept, logged and shown nowhere. */
export type Card = {
  holderName: string
  number: string
  expireMonth: number
  expireYear: number
}

/** Whose card it is, for gateways that ask. */
export type Customer = { id: string; name: string; email: string; address: string | undefined }

export type Charge = {
  /** Of the payment: a gateway charges once for a key, however often it is asked to. */
  idempotencyKey: string
  token: string
  /** US dollars with two decimals. */
  amount: string
  customer: Customer
  billing: BillingFields
}

export type Outcome =
  | { state: 'charged'; chargeId: string }
  /** `cause`: what kept the gateway from being asked at all, for the log. */
  | { state: 'declined'; failure: PaymentFailure; cause?: unknown }

/** What keeps cards and charges them. Every call ends within `signal`, and rejects when it does not. */
export type PaymentGateway = {
  /** Kept with each card: another gateway knows nothing of it. */
  name: string
  /**
   * Hands a card over and gives what the gateway knows it by from then on; or why it does not take it.
   * Rejects when the gateway gives no answer: then no card is added.
   */
  tokenise(
    card: Card,
    of: { customer: Customer; billing: BillingFields; association: CardAssociation },
    signal: AbortSignal,
  ): Promise<{ token: string } | { failure: PaymentFailure }>
  /**
   * Charges a card once. Rejects when it is not known whether it was charged: then `find` is to be asked,
   * and never this again. When it is certain that nothing was sent, it is declined as `not_charged`.
   */
  charge(charge: Charge, signal: AbortSignal): Promise<Outcome>
  /** What became of the charge of that key; undefined when the gateway has never heard of it. */
  find(idempotencyKey: string, signal: AbortSignal): Promise<Outcome | undefined>
  /** Forgets a card; one that it does not know is forgotten already. */
  remove(token: string, signal: AbortSignal): Promise<void>
}
