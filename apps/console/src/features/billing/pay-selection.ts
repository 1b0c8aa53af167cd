import type { Invoice } from '@slipway/contract/invoices'
import { limits } from '@slipway/contract/limits'
import type { PaymentMethod } from '@slipway/contract/payment-methods'
import { isPayable } from './invoice-states.ts'

const idsOf = (invoices: readonly Invoice[]) =>
  invoices.slice(0, limits.invoicesPerPayment).map(({ id }): string => id)

/** The invoices that can be paid now, as many as one payment takes. */
export const payableIds = (invoices: readonly Invoice[]) => idsOf(invoices.filter(isPayable))

/** What is chosen at first: the invoice that somebody came from, else what is overdue, else all. */
export function firstChoice(invoices: readonly Invoice[], from: string | undefined) {
  const payable = invoices.filter(isPayable)
  const wanted = payable.filter(({ id }) => id === from)
  const overdue = payable.filter((invoice) => invoice.overdue)
  return idsOf([wanted, overdue, payable].find((some) => some.length > 0) ?? [])
}

/** The card that is chosen at first: the first that is still good. */
export const firstMethod = (methods: readonly PaymentMethod[]): string | null =>
  methods.find(({ expired }) => !expired)?.id ?? null
