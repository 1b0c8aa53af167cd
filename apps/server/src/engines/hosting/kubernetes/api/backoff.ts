export type BackoffOptions = { initialMs: number; maxMs: number }

/**
 * The wait before attempt `failures + 1`. It doubles each time up to the maximum, minus up to half
 * at random, so that many callers do not return at once. `random` is from 0 to 1.
 */
export const backoffMs = (
  failures: number,
  { initialMs, maxMs }: BackoffOptions,
  random: number = Math.random(),
): number => {
  const longest = Math.min(maxMs, initialMs * 2 ** Math.min(failures, 30))
  return longest / 2 + (longest / 2) * random
}
