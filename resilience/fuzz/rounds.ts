import fc from 'fast-check'
import { Finding } from './finding.ts'

/** The number of examples that a round tries; then the population is renewed. */
const runsPerRound = 60
/** The number of examples that are tried to make a finding smaller. */
const triesToShrink = 150

export type Report = {
  finding: Finding
  /** The seed of its round, with which `--seed` repeats it. */
  seed?: number
  /** The smallest example, as it is printed. */
  example?: unknown
}

/**
 * Runs one round: generated examples until one is a finding, which is then made smaller. Undefined
 * without a finding; other errors are thrown.
 */
export async function runRound<Example>(
  seed: number,
  examples: fc.Arbitrary<Example>,
  run: (example: Example) => Promise<void>,
  describe: (example: Example) => unknown = (example) => example,
): Promise<Report | undefined> {
  let first: Finding | undefined
  let tries = 0
  const result = await fc.check(
    fc.asyncProperty(examples, async (example) => {
      if (first && ++tries > triesToShrink) return
      try {
        await run(example)
      } catch (error) {
        if (!(error instanceof Finding)) throw error
        first ??= error
        // Only the same finding is a smaller example of it.
        if (error.kind === first.kind && error.where === first.where) throw error
      }
    }),
    { seed, numRuns: runsPerRound },
  )
  const { counterexample, errorInstance } = result
  if (!counterexample) return undefined
  if (!(errorInstance instanceof Finding)) throw errorInstance
  const [example] = counterexample
  return { finding: errorInstance, seed, example: describe(example) }
}
