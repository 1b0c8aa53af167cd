import { payInvoices } from '@slipway/contract/invoices'
import type { Bind } from '../../http/binder.ts'
import * as payments from './payments.service.ts'

export const routes = (on: Bind) => {
  on(payInvoices, (ctx, { body }) => payments.pay(ctx, body))
}
