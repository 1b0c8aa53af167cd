import type { UserId } from '@slipway/contract/account'
import type { InvoiceId } from '@slipway/contract/invoices'
import type { BillingFields } from '@slipway/contract/payment-methods'
import { and, eq } from 'drizzle-orm'
import type { Db } from '../../context.ts'
import { invoices } from '../invoices/invoices.schema.ts'

/** Whom a paid invoice is for; null while it is unpaid, or when there is no such invoice of the user. */
export async function findBilledToForUser(
  db: Db,
  userId: UserId,
  id: InvoiceId,
): Promise<BillingFields | null> {
  const [invoice] = await db
    .select({ billedTo: invoices.billedTo })
    .from(invoices)
    .where(and(eq(invoices.id, id), eq(invoices.userId, userId)))
  return invoice?.billedTo ?? null
}
