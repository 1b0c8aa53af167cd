import type { Invoice } from '@slipway/contract/invoices'
import { limits } from '@slipway/contract/limits'
import type { PaymentMethod, PaymentMethodId } from '@slipway/contract/payment-methods'
import { isPayable } from '../invoices/invoice-states.ts'

const idsOf = (invoices: readonly Invoice[]) => invoices.map(({ id }) => id)

/** The ids of the invoices that can be paid now; one payment may not accept all of them. */
export const payableIds = (invoices: readonly Invoice[]) => idsOf(invoices.filter(isPayable))

/**
 * Returns the initially selected invoices: the comma-separated `requestedIds`, otherwise the
 * overdue ones, otherwise all; the oldest first, as many as one payment accepts.
 */
export function initialInvoiceIds(invoices: readonly Invoice[], requestedIds: string | undefined) {
  const payable = invoices.filter(isPayable)
  const requested = new Set<string>(requestedIds?.split(','))
  const requestedInvoices = payable.filter(({ id }) => requested.has(id))
  const overdue = payable.filter((invoice) => invoice.overdue)
  const [first = []] = [requestedInvoices, overdue, payable].filter((group) => group.length > 0)
  return idsOf(first.slice(0, limits.invoicesPerPayment))
}

export const isUsable = ({ expired }: PaymentMethod) => !expired

/**
 * Returns the initially selected card: `added` if it is usable, otherwise the first usable card;
 * null without a usable card.
 */
export function initialMethodId(
  methods: readonly PaymentMethod[],
  added?: string,
): PaymentMethodId | null {
  const usable = methods.filter(isUsable)
  return (usable.find(({ id }) => id === added) ?? usable[0])?.id ?? null
}
