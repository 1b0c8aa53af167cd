import { m } from '@slipway/phrases'
import { paths } from '../../paths.ts'
import { defineScreen } from '../../screens/screen.ts'

export const screen = defineScreen({
  path: paths.login.pattern,
  area: 'auth',
  layout: 'auth',
  page: () => import('./login.page.tsx'),
  title: m.auth_login_title,
  queries: ({ loginProvidersQuery }) => [loginProvidersQuery],
})
