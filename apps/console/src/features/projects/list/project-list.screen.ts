import { m } from '@slipway/phrases'
import { paths } from '../../../paths.ts'
import { defineScreen } from '../../../screens/screen.ts'

export const screen = defineScreen({
  path: paths.projects.pattern,
  area: 'projects',
  layout: 'teams',
  page: () => import('./project-list.page.tsx'),
  title: m.projects_title,
  queries: ({ projectsQuery, unpaidInvoicesQuery, invitationsQuery, unreadTicketsQuery }) => [
    projectsQuery,
    unpaidInvoicesQuery,
    invitationsQuery,
    unreadTicketsQuery,
  ],
  palette: { kind: 'page', position: 1 },
})
