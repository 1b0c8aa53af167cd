import type { BilledTo } from '@slipway/contract/invoices'
import type { UserContext } from '../../context.ts'
import * as paymentMethods from '../payment-methods/payment-methods.service.ts'
import type * as store from './invoices.store.ts'

/**
 * The recipient of an invoice. A paid one has the billing details of the card at the payment, an
 * unpaid one the current details of the default card. Without a card it has the customer's name at
 * the issue, and no address. The email address is the account's at the issue.
 */
export async function billedTo(ctx: UserContext, invoice: store.Invoice): Promise<BilledTo> {
  const { name, email } = invoice.customer ?? ctx.user
  const billing =
    invoice.billedTo ??
    (invoice.paidAt === null ? await paymentMethods.findDefaultBilling(ctx) : undefined)
  if (!billing) return { name, email, taxNumber: null, address: null }
  const { billingName, taxNumber, ...address } = billing
  return { name: billingName, email, taxNumber: taxNumber ?? null, address }
}
