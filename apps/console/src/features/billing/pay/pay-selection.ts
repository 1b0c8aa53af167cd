import type { Invoice } from '@slipway/contract/invoices'
import { limits } from '@slipway/contract/limits'
import type { PaymentMethod } from '@slipway/contract/payment-methods'
import { isPayable } from '../invoices/invoice-states.ts'

const idsOf = (invoices: readonly Invoice[]) => invoices.map(({ id }): string => id)

/** The invoices that can be paid now; there may be more of them than one payment takes. */
export const payableIds = (invoices: readonly Invoice[]) => idsOf(invoices.filter(isPayable))

/**
 * What is chosen at first: the invoices that an address names, with commas between them, else what is overdue, else all; the oldest,
 * as many as one payment takes.
 */
export function firstChoice(invoices: readonly Invoice[], from: string | undefined) {
  const payable = invoices.filter(isPayable)
  const named = from?.split(',') ?? []
  const wanted = payable.filter(({ id }) => named.includes(id))
  const overdue = payable.filter((invoice) => invoice.overdue)
  const [first = []] = [wanted, overdue, payable].filter((some) => some.length > 0)
  return idsOf(first.slice(0, limits.invoicesPerPayment))
}

/** A card can be paid with until it has expired. */
export const isGood = ({ expired }: PaymentMethod) => !expired

/**
 * The card that is chosen at first: the one that was added for it, else the first; of those that are still
 * good. Null when none is.
 */
export function firstMethod(methods: readonly PaymentMethod[], added?: string): string | null {
  const good = methods.filter(isGood)
  return (good.find(({ id }) => id === added) ?? good[0])?.id ?? null
}
