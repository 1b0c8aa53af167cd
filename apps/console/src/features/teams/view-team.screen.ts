import { m } from '@slipway/phrases'
import { paths } from '../../paths.ts'
import { defineScreen } from '../../screens/screen.ts'

export const screen = defineScreen({
  path: paths.team.pattern,
  area: 'teams',
  layout: 'teams',
  page: () => import('./view-team.page.tsx'),
  title: m.teams_team,
  parent: paths.teams.pattern,
  queries: ({ teamQuery }, { params }) => [teamQuery(params.teamId)],
})
