import { day, minute, second } from '@slipway/contract/limits'
import { money } from '@slipway/contract/money'
import type { Payable } from '../invoices/invoices.service.ts'
import type { Payment } from './payments.store.ts'

/** How long a gateway has for one charge, in milliseconds: somebody waits for the answer. */
export const chargeDeadline = 12 * second

const firstDelay = 5 * second
const maxDelay = 10 * minute

/** How old a payment must be before "never heard of it" means that its card was not charged. */
const abandonedAfter = 15 * minute

/** For how long a payment that was given up is asked after all the same. */
const lateChecksEndAfter = day

const after = (time: Date, milliseconds: number) => new Date(time.getTime() + milliseconds)
const age = ({ createdAt }: Pick<Payment, 'createdAt'>, now: Date) =>
  now.getTime() - createdAt.getTime()

/** An invoice that can be charged: neither paid nor in a payment that may yet charge it. */
export const isPayable = ({ paidAt, paymentState }: Payable) =>
  paidAt === null && paymentState !== 'in_progress'

/** True when there is nothing to charge: less than half a cent. */
export const isTooSmall = (chargedAmount: string) => money(chargedAmount).eq(money('0'))

/**
 * True when whoever stored the payment was held up for so long that somebody may already be asking after
 * it: its card is no longer to be charged.
 */
export const isStalled = (payment: Pick<Payment, 'createdAt'>, now: Date) =>
  age(payment, now) >= chargeDeadline

/** When a payment is asked after first: its caller's deadline is over by then. */
export const firstCheckAt = (createdAt: Date) => after(createdAt, chargeDeadline + firstDelay)

/** When a payment is asked after that was asked after so often without an answer. */
export const nextCheckAt = (asked: number, now: Date) =>
  after(now, Math.min(firstDelay * 2 ** Math.min(asked, 30), maxDelay))

/** True when a gateway that has never heard of the payment by now will not charge it. */
export const isAbandoned = (payment: Pick<Payment, 'createdAt'>, now: Date) =>
  age(payment, now) >= abandonedAfter

/** When a payment that was given up is asked after once more; null when that has been done for long enough. */
export const lateCheckAt = (payment: Pick<Payment, 'createdAt'>, now: Date) =>
  age(payment, now) < lateChecksEndAfter ? after(now, maxDelay) : null
