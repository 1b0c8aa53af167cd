import { setTimeout as sleep } from 'node:timers/promises'

/** Waits for what happens elsewhere: the first answer that is not undefined or false. */
export async function until<Answer>(
  ask: () => Promise<Answer | undefined | false> | Answer | undefined | false,
): Promise<Answer> {
  for (;;) {
    const answer = await ask()
    if (answer !== undefined && answer !== false) return answer
    await sleep(10)
  }
}

/** How long a condition may take to come true on a busy machine, and how often it is asked. */
export const pollOptions = { timeout: 20_000, interval: 10 }
