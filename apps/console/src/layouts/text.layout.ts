import type { Layout } from './layout.ts'

export const layout: Layout = {
  page: () => import('../shell/layout/text.layout.tsx'),
}
