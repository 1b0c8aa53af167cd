import { setTimeout as sleep } from 'node:timers/promises'
import type { Locks } from '../db/locks.ts'

/** How often, and how many milliseconds apart, the lock of an artifact is tried. */
const tries = 100
const delay = 100

/** Locked while an artifact is unpacked or removed. */
export const artifactLock = (digest: string) => `artifact ${digest}`

/**
 * Runs the work with the lock of an artifact. Waits ten seconds for another project that unpacks
 * the same archive; returns undefined without running it when that was not enough.
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
