import { m } from '@slipway/phrases'
import { paths } from '../../../paths.ts'
import { defineScreen } from '../../../screens/screen.ts'

export const screen = defineScreen({
  path: paths.verify.pattern,
  area: 'auth',
  layout: 'auth',
  page: () => import('./verify.page.tsx'),
  title: m.auth_verify_title,
})
