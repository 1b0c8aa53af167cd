import { day, minute, second } from '@slipway/contract/limits'
import { money } from '@slipway/contract/money'
import type { Payable } from '../invoices/invoices.service.ts'
import type { Payment } from './payments.store.ts'

/** The timeout of one charge, in milliseconds: the payer waits for the response. */
export const chargeTimeout = 12 * second

const firstDelay = 5 * second
const maxDelay = 10 * minute

/** From this age, a payment that the gateway has never received counts as not charged. */
const abandonedAfter = 15 * minute

/** Up to this age, a failed payment is checked for a late charge. */
const lateChecksEndAfter = day

const after = (time: Date, milliseconds: number) => new Date(time.getTime() + milliseconds)
const age = ({ createdAt }: Pick<Payment, 'createdAt'>, now: Date) =>
  now.getTime() - createdAt.getTime()

export const isPayable = ({ paidAt, paymentState }: Payable) =>
  paidAt === null && paymentState !== 'in_progress'

/** True for an amount that rounds to zero cents. */
export const isTooSmall = (chargedAmount: string) => money(chargedAmount).eq(money('0'))

/**
 * True when the process stalled after it stored the payment. It must not charge then, because
 * status checks may have begun.
 */
export const isStalled = (payment: Pick<Payment, 'createdAt'>, now: Date) =>
  age(payment, now) >= chargeTimeout

/** The time of the first status check: after the charge's timeout. */
export const firstCheckTime = (createdAt: Date) => after(createdAt, chargeTimeout + firstDelay)

/** The time of the next status check, with exponential backoff. */
export const nextCheckTime = (checkCount: number, now: Date) =>
  after(now, Math.min(firstDelay * 2 ** Math.min(checkCount, 30), maxDelay))

/** True when a payment that the gateway has not received by `now` counts as not charged. */
export const isAbandoned = (payment: Pick<Payment, 'createdAt'>, now: Date) =>
  age(payment, now) >= abandonedAfter

/** The time of the next check for a late charge; null when the payment is too old. */
export const lateCheckTime = (payment: Pick<Payment, 'createdAt'>, now: Date) =>
  age(payment, now) < lateChecksEndAfter ? after(now, maxDelay) : null
