import type { Charge } from './invoices.ts'
import { money, sumAmounts, toAmount, toChargedAmount } from './money.ts'

type InvoiceSums = {
  items: readonly { amount: string; discountAmount: string }[]
  /** The sum of the items and their tax. */
  amount: string
  tax: { rate: string; amount: string }
  /** When it was paid; null while it is unpaid. */
  paidAt: string | Date | null
  charge: Pick<Charge, 'chargedAmount' | 'invoiceCount'> | null
}

export type InvoiceTotal = {
  kind: 'undiscounted' | 'discount' | 'subtotal' | 'tax' | 'total' | 'rounding' | 'settled'
  amount: string
}

/**
 * What a card is charged for the invoice alone, in whole cents. An invoice that was paid together
 * with others has no charge of its own: its amount, with five decimals.
 */
export function settledAmount({
  amount,
  paidAt,
  charge,
}: Pick<InvoiceSums, 'amount' | 'paidAt' | 'charge'>) {
  if (paidAt === null) return toAmount(money(toChargedAmount(amount)))
  return charge?.invoiceCount === 1 ? toAmount(money(charge.chargedAmount)) : amount
}

/**
 * The lines below an invoice's items, which add up. The subtotal is the sum of the items' net
 * amounts. Without discount, tax and rounding if they are zero, and without the total if it is the
 * amount paid or due, which is the last line.
 */
export function invoiceTotals(invoice: InvoiceSums): InvoiceTotal[] {
  const { items, amount, tax } = invoice
  const discount = sumAmounts(items.map(({ discountAmount }) => discountAmount))
  const settled = settledAmount(invoice)
  const rounding = toAmount(money(settled).minus(money(amount)))
  const undiscounted = sumAmounts(items.map((item) => item.amount))
  const lines: (false | InvoiceTotal)[] = [
    !isZero(discount) && { kind: 'undiscounted', amount: undiscounted },
    !isZero(discount) && { kind: 'discount', amount: toAmount(money(discount).neg()) },
    { kind: 'subtotal', amount: toAmount(money(undiscounted).minus(money(discount))) },
    !isZero(tax.amount) && { kind: 'tax', amount: tax.amount },
    !isZero(rounding) && { kind: 'total', amount },
    !isZero(rounding) && { kind: 'rounding', amount: rounding },
    { kind: 'settled', amount: settled },
  ]
  return lines.filter((line) => line !== false)
}

const isZero = (amount: string) => money(amount).eq(0)
