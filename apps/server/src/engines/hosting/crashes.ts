import { minute } from '@slipway/contract/limits'

/** The crashes of a program that the engine restarts. */
export type Crashes = {
  /** How often it crashed in a row: a run of `steadyTime` starts the count again. */
  count: number
  /** The last crash, in milliseconds since 1970. */
  lastAt: number
}

/** A program that runs for this time since its start has recovered. */
export const steadyTime = 5 * minute

/** Fewer crashes in a row are not reported: a single one may be chance. */
const loopCount = 3

export const isLoop = ({ count }: Crashes) => count >= loopCount
