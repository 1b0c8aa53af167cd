import type { UserId } from '@slipway/contract/account'
import type { InvoiceId } from '@slipway/contract/invoices'
import type { BillingFields } from '@slipway/contract/payment-methods'
import { and, eq } from 'drizzle-orm'
import type { Db } from '../../context.ts'
import { type Customer, invoices } from '../invoices/invoices.schema.ts'

/**
 * Whom the user's invoice is for: whom they named when they paid it, null while it is unpaid; and who had the
 * account when it was issued, null when that was not kept yet.
 */
export async function findAddresseesForUser(
  db: Db,
  userId: UserId,
  id: InvoiceId,
): Promise<{ billedTo: BillingFields | null; customer: Customer | null } | undefined> {
  const [invoice] = await db
    .select({ billedTo: invoices.billedTo, customer: invoices.customer })
    .from(invoices)
    .where(and(eq(invoices.id, id), eq(invoices.userId, userId)))
  return invoice
}
