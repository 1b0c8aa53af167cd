import { m } from '@slipway/phrases'
import { paths } from '../../../paths.ts'
import { defineScreen } from '../../../screens/screen.ts'

export const screen = defineScreen({
  path: paths.forgotPassword.pattern,
  area: 'auth',
  layout: 'auth',
  page: () => import('./forgot-password.page.tsx'),
  title: m.auth_forgot_title,
})
