import { defineConfig } from 'vitest/config'

// `npm run test:kubernetes`: the specs that need a cluster.
export default defineConfig({
  test: {
    include: ['apps/server/**/*.cluster.spec.ts'],
    globalSetup: ['apps/server/src/testing/postgres.setup.ts'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    expect: { requireAssertions: true },
  },
})
