import { m } from '@slipway/phrases'
import { paths } from '../../../paths.ts'
import { defineScreen } from '../../../screens/screen.ts'

export const screen = defineScreen({
  path: paths.invoice.pattern,
  area: 'billing',
  layout: 'app',
  page: () => import('./invoice-view.page.tsx'),
  title: m.invoices_invoice,
  parent: paths.invoices.pattern,
  queries: ({ invoiceQuery }, { params }) => [invoiceQuery(params.invoiceId)],
})
