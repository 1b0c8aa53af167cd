import { m } from '@slipway/phrases'
import { paths } from '../../../paths.ts'
import { defineScreen } from '../../../screens/screen.ts'

export const screen = defineScreen({
  path: paths.createProject.pattern,
  area: 'projects',
  layout: 'teams',
  page: () => import('./create-project.page.tsx'),
  title: m.projects_create_title,
  parent: paths.projects.pattern,
  queries: ({ projectPriceQuery }) => [projectPriceQuery],
  palette: { kind: 'action', position: 1 },
})
