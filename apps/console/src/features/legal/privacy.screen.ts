import { m } from '@slipway/phrases'
import { paths } from '../../paths.ts'
import { defineScreen } from '../../screens/screen.ts'

export const screen = defineScreen({
  path: paths.privacy.pattern,
  area: 'legal',
  layout: 'text',
  page: () => import('./privacy.page.tsx'),
  title: m.legal_privacy_title,
})
