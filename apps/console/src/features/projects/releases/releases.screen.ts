import { m } from '@slipway/phrases'
import { paths } from '../../../paths.ts'
import { defineScreen } from '../../../screens/screen.ts'

export const screen = defineScreen({
  path: paths.releases.pattern,
  area: 'projects',
  layout: 'project',
  page: () => import('./releases.page.tsx'),
  title: m.release_title,
  parent: paths.projects.pattern,
  queries: ({ projectQuery }, { params }) => [projectQuery(params.projectKey)],
})
