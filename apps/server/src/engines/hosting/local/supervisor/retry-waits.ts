/** Waits between attempts that fail, by site, in milliseconds. */
export type RetryWaits = { initialMs: number; maxMs: number }

/** `attempt` describes the failed attempt: another description is another attempt. */
type Failure = { attempt: string; error: Error; failures: number; retryAt: number }

/**
 * Delays the repetition of a failed attempt, twice as long each time. Until then it fails with the
 * same error. Another attempt of the same site does not wait.
 */
export const createRetryWaits = ({ initialMs, maxMs }: RetryWaits) => {
  const failed = new Map<string, Failure>()
  return {
    /** Throws the error of an attempt that must wait. */
    throwIfWaiting(key: string, attempt: string): void {
      const last = failed.get(key)
      if (last?.attempt === attempt && performance.now() < last.retryAt) throw last.error
    },

    record(key: string, attempt: string, error: Error): void {
      const last = failed.get(key)
      const failures = last?.attempt === attempt ? last.failures + 1 : 1
      const wait = Math.min(initialMs * 2 ** (failures - 1), maxMs)
      failed.set(key, { attempt, error, failures, retryAt: performance.now() + wait })
    },

    clear: (key: string): void => void failed.delete(key),
  }
}
