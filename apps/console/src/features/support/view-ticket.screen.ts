import { m } from '@slipway/phrases'
import { paths } from '../../paths.ts'
import { defineScreen } from '../../screens/screen.ts'

export const screen = defineScreen({
  path: paths.ticket.pattern,
  area: 'support',
  layout: 'app',
  page: () => import('./view-ticket.page.tsx'),
  title: m.support_ticket,
  parent: paths.tickets.pattern,
  queries: ({ ticketQuery }, { params }) => [ticketQuery(params.ticketId)],
})
