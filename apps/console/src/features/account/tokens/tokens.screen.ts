import { m } from '@slipway/phrases'
import { paths } from '../../../paths.ts'
import { defineScreen } from '../../../screens/screen.ts'

export const screen = defineScreen({
  path: paths.tokens.pattern,
  area: 'account',
  layout: 'app',
  page: () => import('./tokens.page.tsx'),
  title: m.tokens_title,
  parent: paths.profile.pattern,
  queries: ({ personalTokensQuery, projectsQuery }) => [personalTokensQuery, projectsQuery],
  palette: { kind: 'page', position: 8 },
})
