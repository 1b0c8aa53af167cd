import { m } from '@slipway/phrases'
import { paths } from '../../paths.ts'
import { defineScreen } from '../../screens/screen.ts'

export const screen = defineScreen({
  path: paths.invitations.pattern,
  area: 'teams',
  layout: 'app',
  page: () => import('./invitations.page.tsx'),
  title: m.teams_invitations,
  parent: paths.teams.pattern,
  queries: ({ invitationsQuery }) => [invitationsQuery],
  palette: { kind: 'page', position: 3 },
})
