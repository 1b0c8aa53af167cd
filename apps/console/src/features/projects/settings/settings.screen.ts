import { m } from '@slipway/phrases'
import { paths } from '../../../paths.ts'
import { defineScreen } from '../../../screens/screen.ts'

export const screen = defineScreen({
  path: paths.projectSettings.pattern,
  area: 'projects',
  layout: 'project',
  page: () => import('./settings.page.tsx'),
  title: m.projects_settings,
  parent: paths.projects.pattern,
  queries: ({ projectQuery }, { params }) => [projectQuery(params.projectKey)],
})
