import { m } from '@slipway/phrases'
import { paths } from '../../../paths.ts'
import { defineScreen } from '../../../screens/screen.ts'

export const screen = defineScreen({
  path: paths.logs.pattern,
  area: 'projects',
  layout: 'project',
  page: () => import('./logs.page.tsx'),
  title: m.logs_title,
  parent: paths.projects.pattern,
  queries: ({ projectQuery }, { params }) => [projectQuery(params.projectKey)],
})
