import { m } from '@slipway/phrases'
import { paths } from '../../../paths.ts'
import { defineScreen } from '../../../screens/screen.ts'

export const screen = defineScreen({
  path: paths.askVerify.pattern,
  area: 'auth',
  layout: 'auth',
  isForUnverified: true,
  page: () => import('./ask-verify.page.tsx'),
  title: m.auth_ask_verify_title,
})
