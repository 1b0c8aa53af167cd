import type { BilledTo } from '@slipway/contract/invoices'
import type { UserContext } from '../../context.ts'
import * as paymentMethods from '../payment-methods/payment-methods.service.ts'
import type * as store from './invoices.store.ts'

/**
 * Whom an invoice of the user is for: whom they had named with the card when they paid it, and nobody else
 * from then on; until then whom they name with their default card. Without a card it is who had the account
 * at the issue. The mail address is that of the account in any case.
 */
export async function billedTo(ctx: UserContext, invoice: store.Invoice): Promise<BilledTo> {
  const { name, email } = invoice.customer ?? ctx.user
  const named =
    invoice.billedTo ??
    (invoice.paidAt === null ? await paymentMethods.findDefaultBilling(ctx) : undefined)
  if (!named) return { name, email, address: null }
  const { billingName, ...address } = named
  return { name: billingName, email, address }
}
