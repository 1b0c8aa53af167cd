import { m } from '@slipway/phrases'
import { paths } from '../../../paths.ts'
import { defineScreen } from '../../../screens/screen.ts'

export const screen = defineScreen({
  path: paths.endSession.pattern,
  area: 'auth',
  layout: 'auth',
  page: () => import('./end-session.page.tsx'),
  title: m.oauth_logout_title,
})
