import { limits } from '@slipway/contract/limits'

/** A challenge and the range to try; `first` and `last` are inclusive. */
export type CaptchaPart = { salt: string; challenge: string; first: number; last: number }

/** Searches one part on its own thread. */
export type CaptchaSolver = {
  /** Returns the number that solves the challenge, or null. Rejects when the thread fails. */
  solve: (part: CaptchaPart) => Promise<number | null>
  stop: () => void
}

/** Splits 0 to `last` into ranges whose lengths differ by at most one. */
export function splitRange(last: number, parts: number) {
  const ends = Array.from({ length: parts + 1 }, (_, part) =>
    Math.ceil(((last + 1) * part) / parts),
  )
  return ends.slice(1).map((end, part) => ({ first: ends[part] ?? 0, last: end - 1 }))
}

/**
 * Returns the number that solves the challenge, or null. The first solver that finds it ends the
 * search; all solvers are stopped in any case. Rejects when a solver fails and no other finds the
 * number, and with the signal's reason on abort.
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
      const searches = solvers.map(async (solver, index) => {
        const part = parts[index]
        if (!part) return
        const number = await solver.solve({ salt, challenge, ...part })
        if (number !== null) resolve(number)
      })
      // While one solver fails, another may still find the number.
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
