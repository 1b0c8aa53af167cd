import { m } from '@slipway/phrases'
import { paths } from '../../paths.ts'
import { defineScreen } from '../../screens/screen.ts'

export const screen = defineScreen({
  path: paths.terms.pattern,
  area: 'legal',
  layout: 'text',
  page: () => import('./terms.page.tsx'),
  title: m.legal_terms_title,
})
