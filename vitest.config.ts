import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { pollOptions } from './apps/server/src/testing/until.ts'
import { useMemoryFolder } from './tools/memory-folder.mjs'

useMemoryFolder()

/** Specs that take minutes: most of them start whole services several times. */
const longestSpecs =
  /\/(main|rolling-restart|demo\/main|payments\.killed|db\/(embedded(-crash)?|query-plans)|recovery|site-editor)\.spec\.ts$/

/** Runs the longest specs first, so none of them runs alone at the end. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const sorted = await super.sort(files)
    const isLong = ({ moduleId }: TestSpecification) => longestSpecs.test(moduleId)
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
          include: ['apps/{server,operator,cli}/**/*.spec.ts'],
          // The specs of the cluster need one: `npm run test:kubernetes`.
          exclude: ['**/*.cluster.spec.ts', '**/node_modules/**'],
          globalSetup: ['apps/server/src/testing/postgres.setup.ts'],
          // Each spec creates its own database, folder and processes. Loading the modules again for
          // each file would take a third of the time.
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
            '{bench,resilience}/**/*.spec.ts',
            'tools/**/*.spec.{ts,mjs}',
          ],
        },
      },
    ],
    // Real databases and processes are slow on a busy machine.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // Specs often wait for their database and processes, so two cores run three of them.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    // By default a poll ends after a second.
    expect: { requireAssertions: true, poll: pollOptions },
  },
})
