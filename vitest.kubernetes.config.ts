import { defineConfig } from 'vitest/config'

// `npm run test:kubernetes`: the specs that need a cluster.
export default defineConfig({
  test: {
    globalSetup: [
      'apps/server/src/testing/postgres.setup.ts',
      'apps/server/src/testing/cluster-lacks.setup.ts',
    ],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    expect: { requireAssertions: true },
    projects: [
      {
        extends: true,
        test: {
          name: 'cluster',
          include: ['apps/server/**/*.cluster.spec.ts'],
          exclude: ['**/node-restart.cluster.spec.ts'],
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'node restart',
          include: ['apps/server/**/node-restart.cluster.spec.ts'],
          // Alone, after all others: they could not use the cluster meanwhile.
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
})
