import {
  getActiveInvoice,
  listInvoices,
  listUnpaidInvoices,
  viewInvoice,
} from '@slipway/contract/invoices'
import { getInvoiceRun, issueInvoices } from '@slipway/contract/products'
import { projectPrice } from '@slipway/contract/projects'
import type { Bind } from '../../http/binder.ts'
import { active } from './invoices.active.ts'
import * as price from './invoices.price.service.ts'
import * as invoices from './invoices.service.ts'
import { issueNow, progress } from './issuing/issuing.service.ts'

export const routes = (on: Bind) => {
  on(listInvoices, (ctx, { query }) => invoices.list(ctx, query))
  on(listUnpaidInvoices, (ctx) => invoices.unpaid(ctx))
  on(getActiveInvoice, active)
  on(viewInvoice, (ctx, { params }) => invoices.view(ctx, params.id))
  on(issueInvoices, (ctx, { body }) => issueNow(ctx, body))
  on(getInvoiceRun, progress)
  on(projectPrice, (ctx) => price.ofProject(ctx))
}
