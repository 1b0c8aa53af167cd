import { limits } from '@slipway/contract/limits'

/** A challenge and the numbers to try, `first` and `last` included. */
export type CaptchaPart = { salt: string; challenge: string; first: number; last: number }

/** Searches one part on a thread of its own. */
export type CaptchaSolver = {
  /** The number in the part that solves the challenge, or null. Rejects when the thread failed. */
  solve: (part: CaptchaPart) => Promise<number | null>
  /** Ends the thread at once. */
  stop: () => void
}

/** The numbers from 0 to `last` in as many parts, the earlier ones a number longer where it does not divide. */
export function splitRange(last: number, parts: number) {
  const ends = Array.from({ length: parts + 1 }, (_, part) =>
    Math.ceil(((last + 1) * part) / parts),
  )
  return ends.slice(1).map((end, part) => ({ first: ends[part] ?? 0, last: end - 1 }))
}

/**
 * The number that solves the challenge, or null when there is none. The solvers share the range, the
 * first to find it ends the search, and all are stopped whatever comes. Rejects when a solver failed and
 * no other found it, and with the signal's reason when it is aborted.
 */
export async function searchCaptcha(
  { salt, challenge }: { salt: string; challenge: string },
  solvers: readonly CaptchaSolver[],
  signal?: AbortSignal,
) {
  const parts = splitRange(limits.captchaMaxNumber, solvers.length)
  try {
    return await new Promise<number | null>((resolve, reject) => {
      signal?.throwIfAborted()
      signal?.addEventListener('abort', () => reject(signal.reason), { once: true })
      const searches = solvers.map(async (solver, place) => {
        const part = parts[place]
        if (!part) return
        const number = await solver.solve({ salt, challenge, ...part })
        if (number !== null) resolve(number)
      })
      // Only when all are through: while one fails, another may still find it.
      Promise.allSettled(searches).then((outcomes) => {
        const failed = outcomes.find((outcome) => outcome.status === 'rejected')
        if (failed) reject(failed.reason)
        else resolve(null)
      })
    })
  } finally {
    for (const solver of solvers) solver.stop()
  }
}
