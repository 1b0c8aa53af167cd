import type { FileResponse } from '@slipway/contract/file-response'
import type { Invoice, InvoiceId } from '@slipway/contract/invoices'
import { serviceLimits } from '@slipway/contract/service-limits'
import type { UserContext } from '../../context.ts'
import * as invoices from '../invoices/invoices.service.ts'
import * as throttle from '../throttle/throttle.service.ts'
import { print } from './invoices-pdf.printer.ts'

/** Such as `SW-2026-000042.pdf`; for an invoice without a number, its period's start and its id. */
const fileName = ({ number, id, createdAt }: Pick<Invoice, 'number' | 'id' | 'createdAt'>) =>
  `${number ?? `slipway-invoice-${createdAt.slice(0, 10)}-${id.slice(-8)}`}.pdf`

/** Limits PDFs per user: they cost far more than any other response. */
const throttlePdfs = (ctx: UserContext) =>
  ctx.write((tx) =>
    throttle.consume(
      tx,
      ctx.clock.now(),
      `invoice-pdf:${ctx.user.id}`,
      serviceLimits.invoicePdfsPerUser,
      'too_many_requests',
    ),
  )

/**
 * An issued invoice of the user as a PDF, in the language of the request. Throws
 * `invoice_not_found`, also for another user's invoice, `too_many_requests`, and `unavailable` when
 * the queue is full.
 */
export async function download(ctx: UserContext, id: InvoiceId): Promise<FileResponse> {
  const invoice = await invoices.view(ctx, id)
  await throttlePdfs(ctx)
  const bytes = await print({ locale: ctx.locale, invoice }, ctx.isGone)
  return { name: fileName(invoice), bytes }
}
