import { m } from '@slipway/phrases'
import Globe from 'lucide-react/icons/globe'
import { paths } from '../../../paths.ts'
import { defineScreen } from '../../../screens/screen.ts'

export const screen = defineScreen({
  path: paths.projects.pattern,
  area: 'projects',
  layout: 'teams',
  page: () => import('./project-list.page.tsx'),
  title: m.projects_title,
  queries: ({ projectsQuery }) => [projectsQuery],
  palette: {
    kind: 'page',
    position: 1,
    icon: Globe,
    words: m.palette_words_projects,
  },
})
