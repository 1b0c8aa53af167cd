import { m } from '@slipway/phrases'
import { paths } from '../../paths.ts'
import { defineScreen } from '../../screens/screen.ts'

export const screen = defineScreen({
  path: paths.tickets.pattern,
  area: 'support',
  layout: 'app',
  page: () => import('./ticket-list.page.tsx'),
  title: m.support_title,
  queries: ({ ticketsQuery }) => [ticketsQuery],
  palette: { kind: 'page', position: 4 },
})
