import { downloadInvoice } from '@slipway/contract/invoices'
import type { Bind } from '../../http/binder.ts'
import * as pdf from './invoices-pdf.service.ts'

export const routes = (on: Bind) => {
  on(downloadInvoice, (ctx, { params }) => pdf.download(ctx, params.id))
}
