import { m } from '@slipway/phrases'
import { paths } from '../../paths.ts'
import { defineScreen } from '../../screens/screen.ts'

export const screen = defineScreen({
  path: paths.signUp.pattern,
  area: 'auth',
  layout: 'auth',
  page: () => import('./sign-up.page.tsx'),
  title: m.auth_sign_up_title,
  queries: ({ loginProvidersQuery }) => [loginProvidersQuery],
})
