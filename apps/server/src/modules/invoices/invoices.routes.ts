import { listInvoices, listUnpaidInvoices, viewInvoice } from '@slipway/contract/invoices'
import type { Bind } from '../../http/binder.ts'
import * as invoices from './invoices.service.ts'

export const routes = (on: Bind) => {
  on(listInvoices, (ctx, { query }) => invoices.all(ctx, query))
  on(listUnpaidInvoices, (ctx) => invoices.unpaid(ctx))
  on(viewInvoice, (ctx, { params }) => invoices.view(ctx, params.id))
}
