import { m } from '@slipway/phrases'
import { paths } from '../../../paths.ts'
import { defineScreen } from '../../../screens/screen.ts'

export const screen = defineScreen({
  path: paths.externalLogin.pattern,
  area: 'auth',
  layout: 'auth',
  page: () => import('./external-login.page.tsx'),
  title: m.oauth_return_title,
})
