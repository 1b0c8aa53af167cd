import { minute } from '@slipway/contract/limits'

/** The unexpected ends of a program that is started again after each of them. */
export type Crashes = {
  /** How often it ended without running well in between. */
  count: number
  /** When it ended last, in milliseconds since 1970. */
  lastAt: number
}

/** A program that has run for this time since its start runs well. */
export const steadyTime = 5 * minute

/** Fewer crashes are no news: a program may end once in a night. */
const loopCount = 3

/** True for a program that crashes again and again. */
export const isLoop = ({ count }: Crashes) => count >= loopCount
