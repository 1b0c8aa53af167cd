import { m } from '@slipway/phrases'
import { paths } from '../../paths.ts'
import { defineScreen } from '../../screens/screen.ts'

export const screen = defineScreen({
  path: paths.profile.pattern,
  area: 'account',
  layout: 'app',
  page: () => import('./profile.page.tsx'),
  title: m.account_profile,
  palette: { kind: 'page', position: 7 },
})
