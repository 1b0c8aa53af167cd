import { m } from '@slipway/phrases'
import { paths } from '../../paths.ts'
import { defineScreen } from '../../screens/screen.ts'

export const screen = defineScreen({
  path: paths.createTicket.pattern,
  area: 'support',
  layout: 'app',
  page: () => import('./create-ticket.page.tsx'),
  title: m.support_create_title,
  parent: paths.tickets.pattern,
  palette: { kind: 'action', position: 2 },
})
