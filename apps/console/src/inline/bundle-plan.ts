import type { Locale } from '@slipway/phrases'

/** The code and data that a page requests before the bundle runs (`build/bundle-plan.ts`). */
export type BundlePlan = {
  apiBase: string
  /** The entry of the bundle, which runs before the screen's files. */
  entry: string
  /** Files that every screen needs. */
  shared: string[]
  /** All files, the largest first. */
  files: string[]
  screens: ScreenPlan[]
  texts: Partial<Record<Locale, { retrying: string; failed: string }>>
}

export type ScreenPlan = {
  /** A regular expression for the path; its group is the parameter. */
  pattern: string
  needsSession: boolean
  /** The screen's own files, as positions in `files`. */
  files: number[]
  /** The paths of its requests below `apiBase`; `*` stands for the parameter. */
  requests: string[]
}

export const planId = 'bundle-plan'
