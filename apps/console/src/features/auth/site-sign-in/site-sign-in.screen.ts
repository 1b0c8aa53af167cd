import { m } from '@slipway/phrases'
import { paths } from '../../../paths.ts'
import { defineScreen } from '../../../screens/screen.ts'

export const screen = defineScreen({
  path: paths.projectLogin.pattern,
  area: 'auth',
  layout: 'auth',
  page: () => import('./site-sign-in.page.tsx'),
  title: m.oauth_code_title,
})
