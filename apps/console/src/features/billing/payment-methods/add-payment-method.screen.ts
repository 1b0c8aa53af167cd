import { m } from '@slipway/phrases'
import { paths } from '../../../paths.ts'
import { defineScreen } from '../../../screens/screen.ts'

export const screen = defineScreen({
  path: paths.addPaymentMethod.pattern,
  area: 'billing',
  layout: 'app',
  page: () => import('./add-payment-method.page.tsx'),
  title: m.cards_add_title,
  parent: paths.billing.pattern,
  palette: { kind: 'action', position: 4 },
})
