import { hour, minute, second } from '@slipway/contract/limits'

/**
 * Milliseconds until the text of `formatRelativeTime` may change, for times in milliseconds.
 * `showsSeconds`: the text counts seconds below a minute.
 */
export function refreshDelay(time: number, now: number, showsSeconds = false) {
  const age = Math.abs(time - now)
  if (showsSeconds && age < minute) return second
  return age < hour ? 10 * second : 5 * minute
}
