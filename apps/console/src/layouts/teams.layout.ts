import type { Layout } from './layout.ts'

export const layout: Layout = {
  parent: 'app',
  page: async () => ({ Page: (await import('../shell/layout/signed-in.ts')).TeamsPage }),
  queries: ({ teamsQuery }) => [teamsQuery],
}
