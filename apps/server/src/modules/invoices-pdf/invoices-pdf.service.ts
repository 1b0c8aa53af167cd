import type { FileAnswer } from '@slipway/contract/file'
import type { InvoiceId } from '@slipway/contract/invoices'
import type { UserContext } from '../../context.ts'
import * as invoices from '../invoices/invoices.service.ts'
import { print } from './invoices-pdf.printer.ts'
import * as store from './invoices-pdf.store.ts'

/** `slipway-invoice-2026-10-01-1b2c3d4e.pdf`: the start of what it is for, and the end of its id. */
const fileName = ({ id, createdAt }: { id: string; createdAt: string }) =>
  `slipway-invoice-${createdAt.slice(0, 10)}-${id.slice(-8)}.pdf`

/**
 * An issued invoice of the user as a PDF, in the language of the request. Throws `invoice_not_found`, also
 * for somebody else's.
 */
export async function download(ctx: UserContext, id: InvoiceId): Promise<FileAnswer> {
  const invoice = await invoices.view(ctx, id)
  const billedTo = await store.findBilledToForUser(ctx.db, ctx.user.id, id)
  const { name, email } = ctx.user
  const bytes = await print({ locale: ctx.locale, invoice, billedTo, customer: { name, email } })
  return { name: fileName(invoice), bytes }
}
