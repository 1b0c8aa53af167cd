import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['apps/**/*.spec.{ts,tsx}', 'packages/**/*.spec.ts', 'tools/**/*.spec.{ts,mjs}'],
    globalSetup: ['apps/server/src/testing/postgres.setup.ts'],
    // Real databases and processes: slow on a busy machine is not wrong.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // Each file has its own database and processes; more workers than cores only wait for one another.
    maxWorkers: 2,
    expect: { requireAssertions: true },
  },
})
