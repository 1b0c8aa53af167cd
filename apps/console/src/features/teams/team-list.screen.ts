import { m } from '@slipway/phrases'
import { paths } from '../../paths.ts'
import { defineScreen } from '../../screens/screen.ts'

export const screen = defineScreen({
  path: paths.teams.pattern,
  area: 'teams',
  layout: 'app',
  page: () => import('./team-list.page.tsx'),
  title: m.teams_title,
  queries: ({ teamsQuery, invitationsQuery }) => [teamsQuery, invitationsQuery],
  palette: { kind: 'page', position: 2 },
})
