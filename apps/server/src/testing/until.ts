import { setTimeout as sleep } from 'node:timers/promises'

/** Polls until `poll` returns a value other than undefined and false. */
export async function until<Result>(
  poll: () => Promise<Result | undefined | false> | Result | undefined | false,
): Promise<Result> {
  for (;;) {
    const result = await poll()
    if (result !== undefined && result !== false) return result
    await sleep(10)
  }
}

/** Options of `expect.poll`, with a timeout for a busy machine. */
export const pollOptions = { timeout: 20_000, interval: 10 }
