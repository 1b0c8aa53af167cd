import { m } from '@slipway/phrases'
import { paths } from '../../../paths.ts'
import { defineScreen } from '../../../screens/screen.ts'

export const screen = defineScreen({
  path: paths.security.pattern,
  area: 'account',
  layout: 'app',
  page: () => import('./security.page.tsx'),
  title: m.account_security,
  parent: paths.profile.pattern,
  queries: ({ sessionsQuery }) => [sessionsQuery],
  palette: { kind: 'page', position: 9 },
})
