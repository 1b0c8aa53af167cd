import { m } from '@slipway/phrases'
import { paths } from '../../../paths.ts'
import { defineScreen } from '../../../screens/screen.ts'

export const screen = defineScreen({
  path: paths.device.pattern,
  area: 'account',
  layout: 'app',
  page: () => import('./device.page.tsx'),
  title: m.device_title,
  parent: paths.tokens.pattern,
  queries: ({ projectsQuery }) => [projectsQuery],
})
