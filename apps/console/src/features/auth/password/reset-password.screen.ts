import { m } from '@slipway/phrases'
import { paths } from '../../../paths.ts'
import { defineScreen } from '../../../screens/screen.ts'

export const screen = defineScreen({
  path: paths.resetPassword.pattern,
  area: 'auth',
  layout: 'auth',
  page: () => import('./reset-password.page.tsx'),
  title: m.auth_reset_title,
})
