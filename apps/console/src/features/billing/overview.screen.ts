import { m } from '@slipway/phrases'
import { paths } from '../../paths.ts'
import { defineScreen } from '../../screens/screen.ts'

export const screen = defineScreen({
  path: paths.billing.pattern,
  area: 'billing',
  layout: 'app',
  page: () => import('./overview.page.tsx'),
  title: m.invoices_overview_title,
  queries: ({ activeInvoiceQuery, unpaidInvoicesQuery, paymentMethodsQuery }) => [
    activeInvoiceQuery,
    unpaidInvoicesQuery,
    paymentMethodsQuery,
  ],
  palette: { kind: 'page', position: 5 },
})
