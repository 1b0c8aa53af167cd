import { payInvoices } from '@slipway/contract/invoices'
import { listRefunds, markRefunded } from '@slipway/contract/refunds'
import type { Bind } from '../../http/binder.ts'
import * as payments from './payments.service.ts'
import * as refunds from './refunds/refunds.service.ts'

export const routes = (on: Bind) => {
  on(payInvoices, (ctx, { body }) => payments.pay(ctx, body))
  on(listRefunds, (ctx) => refunds.listDue(ctx))
  on(markRefunded, (ctx, { params }) => refunds.markRefunded(ctx, params.id))
}
