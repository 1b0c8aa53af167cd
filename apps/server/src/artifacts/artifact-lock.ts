import { setTimeout as sleep } from 'node:timers/promises'
import type { Locks } from '../db/locks.ts'

/** How many times, and how many milliseconds apart, an artifact's lock is tried. */
const tries = 100
const delay = 100

/** Locked while an artifact is unpacked or removed. */
export const artifactLock = (digest: string) => `artifact ${digest}`

/**
 * Runs `work` with the lock of an artifact. Waits up to ten seconds for it, as another project may
 * unpack the same archive; then returns undefined without running `work`.
 */
export async function withArtifactLock<Result>(
  locks: Pick<Locks, 'exclusively'>,
  digest: string,
  work: () => Promise<NonNullable<Result>>,
): Promise<NonNullable<Result> | undefined> {
  for (let tried = 1; ; tried++) {
    const result = await locks.exclusively(artifactLock(digest), work)
    if (result !== undefined || tried === tries) return result
    await sleep(delay)
  }
}
