import { day, minute, second } from '@slipway/contract/limits'
import { money } from '@slipway/contract/money'
import type { Payable } from '../invoices/invoices.service.ts'
import type { Payment } from './payments.store.ts'

/** How long a gateway has for one charge, in milliseconds: somebody waits for the answer. */
export const chargeDeadline = 12 * second

const firstPause = 5 * second
const longestPause = 10 * minute

/** How old a payment must be before "never heard of it" means that its card was not charged. */
const giveUpAfter = 15 * minute

/** For how long a payment that was given up is asked after all the same. */
const watchedFor = day

const after = (time: Date, milliseconds: number) => new Date(time.getTime() + milliseconds)
const age = ({ createdAt }: Pick<Payment, 'createdAt'>, now: Date) =>
  now.getTime() - createdAt.getTime()

/** An invoice that can be charged: neither paid nor in a payment that may yet charge it. */
export const isFree = ({ paidAt, paymentState }: Payable) =>
  paidAt === null && paymentState !== 'in_progress'

/** True when there is nothing to charge: less than half a cent. */
export const isTooSmall = (chargedAmount: string) => money(chargedAmount).eq(money('0'))

/**
 * True when whoever stored the payment was held up for so long that somebody may already be asking after
 * it: its card is no longer to be charged.
 */
export const isHeldUp = (payment: Pick<Payment, 'createdAt'>, now: Date) =>
  age(payment, now) >= chargeDeadline

/** When a payment is asked after first: its caller's deadline is over by then. */
export const firstAsk = (createdAt: Date) => after(createdAt, chargeDeadline + firstPause)

/** When a payment is asked after that was asked after so often without an answer. */
export const nextAsk = (asked: number, now: Date) =>
  after(now, Math.min(firstPause * 2 ** Math.min(asked, 30), longestPause))

/** True when a gateway that has never heard of the payment by now will not charge it. */
export const isGivenUp = (payment: Pick<Payment, 'createdAt'>, now: Date) =>
  age(payment, now) >= giveUpAfter

/** When a payment that was given up is asked after once more; null when that has been done for long enough. */
export const lateAsk = (payment: Pick<Payment, 'createdAt'>, now: Date) =>
  age(payment, now) < watchedFor ? after(now, longestPause) : null
