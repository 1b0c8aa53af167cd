import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'server',
          include: ['apps/{server,operator}/**/*.spec.ts'],
          globalSetup: ['apps/server/src/testing/postgres.setup.ts'],
          // Their world is a database, a folder and processes, and each makes its own; the program need
          // not be read anew for each file, which would take a third of the time.
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'other',
          include: [
            'apps/{console,site}/**/*.spec.{ts,tsx}',
            'packages/**/*.spec.ts',
            'tools/**/*.spec.{ts,mjs}',
          ],
        },
      },
    ],
    // Real databases and processes: slow on a busy machine is not wrong.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // Each file has its own database and processes; more workers than cores only wait for one another.
    maxWorkers: 3,
    expect: { requireAssertions: true },
  },
})
