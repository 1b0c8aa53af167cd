import type { Layout } from './layout.ts'

export const layout: Layout = {
  page: () => import('../shell/layout/auth.layout.tsx'),
}
