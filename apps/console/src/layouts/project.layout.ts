import type { Layout } from './layout.ts'

export const layout: Layout = {
  parent: 'teams',
  page: () => import('../features/projects/project.layout.tsx'),
}
