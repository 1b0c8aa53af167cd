import type { Invoice } from '@slipway/contract/invoices'
import { limits } from '@slipway/contract/limits'
import type { PaymentMethod } from '@slipway/contract/payment-methods'
import { isPayable } from '../invoices/invoice-states.ts'

const idsOf = (invoices: readonly Invoice[]) => invoices.map(({ id }): string => id)

/** The ids of the invoices that can be paid now; one payment may not take all of them. */
export const payableIds = (invoices: readonly Invoice[]) => idsOf(invoices.filter(isPayable))

/**
 * Returns the initially selected invoices: the comma-separated ids in `from`, otherwise the
 * overdue ones, otherwise all; the oldest first, as many as one payment takes.
 */
export function initialInvoiceIds(invoices: readonly Invoice[], from: string | undefined) {
  const payable = invoices.filter(isPayable)
  const named = from?.split(',') ?? []
  const wanted = payable.filter(({ id }) => named.includes(id))
  const overdue = payable.filter((invoice) => invoice.overdue)
  const [first = []] = [wanted, overdue, payable].filter((some) => some.length > 0)
  return idsOf(first.slice(0, limits.invoicesPerPayment))
}

/** A card is usable until it expires. */
export const isUsable = ({ expired }: PaymentMethod) => !expired

/**
 * Returns the initially selected card: `added` if it is usable, otherwise the first usable one;
 * null if there is none.
 */
export function initialMethodId(methods: readonly PaymentMethod[], added?: string): string | null {
  const good = methods.filter(isUsable)
  return (good.find(({ id }) => id === added) ?? good[0])?.id ?? null
}
