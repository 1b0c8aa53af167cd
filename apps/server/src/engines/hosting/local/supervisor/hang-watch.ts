/** When a running process counts as hanging. Times in milliseconds. */
export type HangRules = {
  /** From the end of one check to the next. */
  intervalMs: number
  timeoutMs: number
  /** Failed checks in a row after which the process hangs. */
  failures: number
  /** Grace period until the first response, for a slow start on a busy machine. */
  startMs: number
}

export const defaultHangRules: HangRules = {
  intervalMs: 10_000,
  timeoutMs: 5_000,
  failures: 3,
  startMs: 120_000,
}

/**
 * Checks a process periodically and calls `onHang` once when it stops responding: a process can
 * hang without exiting. The first check has a random delay, which spreads the checks of many
 * processes. Returns a function that ends the watch.
 */
export const watchForHang = (
  { intervalMs, failures, startMs }: Omit<HangRules, 'timeoutMs'>,
  responds: () => Promise<boolean>,
  onHang: () => void,
): (() => void) => {
  let ended = false
  const startedAt = performance.now()
  let hasResponded = false
  let failed = 0
  let timer: NodeJS.Timeout

  const check = async () => {
    const responded = await responds()
    if (ended) return
    failed = responded ? 0 : failed + 1
    hasResponded ||= responded
    const mayBeStarting = !hasResponded && performance.now() - startedAt < startMs
    if (failed >= failures && !mayBeStarting) onHang()
    else checkIn(intervalMs)
  }
  const checkIn = (ms: number) => {
    timer = setTimeout(check, ms)
    timer.unref()
  }
  checkIn(Math.random() * intervalMs)

  return () => {
    ended = true
    clearTimeout(timer)
  }
}
