import { hour, minute, second } from '@slipway/contract/limits'

/** Milliseconds until the text of `formatRelativeTime` may change. Both times are milliseconds. */
export const refreshDelay = (time: number, now: number) =>
  Math.abs(time - now) < hour ? 10 * second : 5 * minute
