import type { Invoice, InvoiceItem } from '@slipway/contract/invoices'
import type { ProjectKey } from '@slipway/contract/projects'
import { type Locale, localizedName } from '@slipway/phrases'
import type { Context } from '../../context.ts'
import { isOverdue } from './invoices.policy.ts'
import type * as store from './invoices.store.ts'

export const toResponse = (ctx: Pick<Context, 'clock'>, invoice: store.Invoice): Invoice => ({
  id: invoice.id,
  number: invoice.number,
  amount: invoice.amount,
  createdAt: invoice.startsAt.toISOString(),
  endsAt: invoice.endsAt.toISOString(),
  issuedAt: invoice.issuedAt.toISOString(),
  paidAt: invoice.paidAt?.toISOString() ?? null,
  payment:
    invoice.paymentState === null
      ? null
      : { state: invoice.paymentState, failure: invoice.paymentFailure },
  overdue: isOverdue(invoice, ctx.clock.now()),
})

/** An item, stored or of the active invoice. */
export type PresentableItem = Omit<store.InvoiceItem, 'invoiceId' | 'productId' | 'createdAt'>

export const toItemResponse = (
  item: PresentableItem,
  issuedAt: Date | null,
  locale: Locale,
): InvoiceItem => ({
  id: item.id,
  projectId: item.projectId,
  projectKey: item.projectKey as ProjectKey,
  projectName: item.projectName,
  product: localizedName(item.productNames, locale),
  price: item.price,
  discount: item.discount,
  runningHours: item.runningHours,
  amount: item.amount,
  discountAmount: item.discountAmount,
  totalAmount: item.totalAmount,
  createdAt: item.startsAt.toISOString(),
  issuedAt: issuedAt?.toISOString() ?? null,
})
