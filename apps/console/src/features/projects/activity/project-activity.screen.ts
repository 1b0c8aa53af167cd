import { m } from '@slipway/phrases'
import { paths } from '../../../paths.ts'
import { defineScreen } from '../../../screens/screen.ts'

export const screen = defineScreen({
  path: paths.projectActivity.pattern,
  area: 'projects',
  layout: 'project',
  page: () => import('./project-activity.page.tsx'),
  title: m.activity_title,
  parent: paths.projects.pattern,
  queries: ({ projectQuery }, { params }) => [projectQuery(params.projectKey)],
})
