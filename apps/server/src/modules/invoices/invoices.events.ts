import type { Audience } from '../../events.ts'
import * as invoices from './invoices.service.ts'

export const audience: Audience<'Invoice'> = {
  Invoice: (ctx, { invoiceId }) => invoices.eventRecipients(ctx.db, invoiceId),
}
