import { m } from '@slipway/phrases'
import { paths } from '../../paths.ts'
import { defineScreen } from '../../screens/screen.ts'

export const screen = defineScreen({
  path: paths.project.pattern,
  area: 'projects',
  layout: 'project',
  page: () => import('./view-project.page.tsx'),
  title: m.projects_project,
  parent: paths.projects.pattern,
  queries: ({ projectQuery }, { params }) => [projectQuery(params.projectKey)],
})
