import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Those that start whole services, many times, one after the other. */
const longest =
  /\/(main|demo\/main|payments\.killed|db\/embedded(-crash)?|recovery|site-editor)\.spec\.ts$/

/** The longest begin first, or the others would be done while the last of them go on by themselves. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const sorted = await super.sort(files)
    const isLong = ({ moduleId }: TestSpecification) => longest.test(moduleId)
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}

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
    // Each file has its own database and processes, and waits for them now and then: one more than this
    // machine usually has cores.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    expect: { requireAssertions: true },
  },
})
