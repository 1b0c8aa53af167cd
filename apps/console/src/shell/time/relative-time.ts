import { hour, minute, second } from '@slipway/contract/limits'

/**
 * Milliseconds until the text of `formatRelativeTime` may change. Both times are milliseconds.
 * `seconds`: it counts them.
 */
export function refreshDelay(time: number, now: number, seconds = false) {
  const age = Math.abs(time - now)
  if (seconds && age < minute) return second
  return age < hour ? 10 * second : 5 * minute
}
