import { m } from '@slipway/phrases'
import LifeBuoy from 'lucide-react/icons/life-buoy'
import { paths } from '../../paths.ts'
import { defineScreen } from '../../screens/screen.ts'

export const screen = defineScreen({
  path: paths.tickets.pattern,
  area: 'support',
  layout: 'app',
  page: () => import('./ticket-list.page.tsx'),
  title: m.support_title,
  queries: ({ ticketsQuery }) => [ticketsQuery],
  palette: {
    kind: 'page',
    position: 4,
    icon: LifeBuoy,
    words: m.palette_words_tickets,
  },
})
