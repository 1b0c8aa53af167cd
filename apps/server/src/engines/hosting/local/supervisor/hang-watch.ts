import { request } from 'node:http'

/** When a process that runs counts as one that hangs. Times in milliseconds. */
export type HangRules = {
  /** From one answer, or the wait for it, to the next question. */
  intervalMs: number
  /** How long an answer may take. */
  timeoutMs: number
  /** So many questions without an answer, one after the other, and the process hangs. */
  failures: number
  /** So long one that has not answered yet may be starting, on a busy machine, and does not hang. */
  startMs: number
}

export const defaultHangRules: HangRules = {
  intervalMs: 10_000,
  timeoutMs: 5_000,
  failures: 3,
  startMs: 120_000,
}

/** True when the site behind the socket answers its health check at all, whatever it says. */
export const respondsAt = (socketPath: string, timeoutMs: number): Promise<boolean> =>
  new Promise((resolve) => {
    const outgoing = request(
      {
        socketPath,
        path: '/healthz',
        headers: { host: 'site.invalid' },
        agent: false,
        signal: AbortSignal.timeout(timeoutMs),
      },
      (answer) => {
        resolve(true)
        answer.destroy()
      },
    )
    // Nobody listens, or nobody answers in time: either way there is no site to visit. It is also what
    // ends an answer that is not read to its end, which then changes nothing.
    outgoing.on('error', () => resolve(false))
    outgoing.end()
  })

/** Lets so many tasks run at once; the others wait for their turn. */
export const createTurns = (atOnce: number) => {
  const waiting: (() => void)[] = []
  let free = atOnce
  return async <T>(task: () => Promise<T>): Promise<T> => {
    if (free > 0) free -= 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await task()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else free += 1
    }
  }
}

/**
 * Asks again and again whether a process responds, and calls `onHang` once when it does not any more: a
 * process may stand still without having ended, and nothing else would tell. The first question comes at
 * a random moment of the interval, so that those of many processes are spread over it. Gives what ends
 * the watch.
 */
export const watchForHang = (
  { intervalMs, failures, startMs }: Omit<HangRules, 'timeoutMs'>,
  responds: () => Promise<boolean>,
  onHang: () => void,
): (() => void) => {
  let ended = false
  const startedAt = performance.now()
  let hasAnswered = false
  let unanswered = 0
  let timer: NodeJS.Timeout

  const ask = async () => {
    const answered = await responds()
    if (ended) return
    unanswered = answered ? 0 : unanswered + 1
    hasAnswered ||= answered
    const mayBeStarting = !hasAnswered && performance.now() - startedAt < startMs
    if (unanswered >= failures && !mayBeStarting) onHang()
    else askIn(intervalMs)
  }
  const askIn = (ms: number) => {
    timer = setTimeout(ask, ms)
    timer.unref()
  }
  askIn(Math.random() * intervalMs)

  return () => {
    ended = true
    clearTimeout(timer)
  }
}
