import { m } from '@slipway/phrases'
import { paths } from '../../../paths.ts'
import { defineScreen } from '../../../screens/screen.ts'

export const screen = defineScreen({
  path: paths.payInvoices.pattern,
  area: 'billing',
  layout: 'app',
  page: () => import('./pay-invoices.page.tsx'),
  title: m.payments_screen_title,
  parent: paths.invoices.pattern,
  queries: ({ unpaidInvoicesQuery, paymentMethodsQuery }) => [
    unpaidInvoicesQuery,
    paymentMethodsQuery,
  ],
  palette: { kind: 'action', position: 3 },
})
