import { m } from '@slipway/phrases'
import { paths } from '../../../paths.ts'
import { defineScreen } from '../../../screens/screen.ts'

export const screen = defineScreen({
  path: paths.traffic.pattern,
  area: 'projects',
  layout: 'project',
  page: () => import('./traffic.page.tsx'),
  title: m.traffic_title,
  parent: paths.projects.pattern,
  queries: ({ projectQuery }, { params }) => [projectQuery(params.projectKey)],
})
