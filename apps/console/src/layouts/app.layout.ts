import type { Layout } from './layout.ts'

export const layout: Layout = {
  page: async () => ({ Page: (await import('../shell/layout/signed-in.ts')).AppPage }),
  queries: ({ profileQuery, regionsQuery }) => [profileQuery, regionsQuery],
}
