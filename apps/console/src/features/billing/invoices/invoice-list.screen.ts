import { m } from '@slipway/phrases'
import { paths } from '../../../paths.ts'
import { defineScreen } from '../../../screens/screen.ts'

export const screen = defineScreen({
  path: paths.invoices.pattern,
  area: 'billing',
  layout: 'app',
  page: () => import('./invoice-list.page.tsx'),
  title: m.invoices_title,
  parent: paths.billing.pattern,
  queries: ({ invoicesQueryOf }, { search }) => [invoicesQueryOf(search)],
  palette: { kind: 'page', position: 6 },
})
