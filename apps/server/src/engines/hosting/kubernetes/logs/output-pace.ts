import { maxLinesAtOnce } from '../../../../logs/log-record.ts'

/** Maximum characters of one pod in an interval. */
const charactersAtOnce = 256 * 1024
const intervalMs = 500
/** The output of all pods together is read as fast as that of this many which print endlessly. */
const endlessPods = 5

/** The milliseconds that a chunk takes of its pod's time: as the local engine reads a site. */
function durationOf(chunk: string): number {
  let lines = 0
  for (let end = chunk.indexOf('\n'); end !== -1; end = chunk.indexOf('\n', end + 1)) lines += 1
  return Math.max(lines / maxLinesAtOnce, chunk.length / charactersAtOnce) * intervalMs
}

export type Wait = (ms: number) => Promise<unknown>
/** Resolves when the next chunk of a pod may be handled. */
export type Turn = (chunk: string) => Promise<void>

/** Tasks of known durations in sequence. */
function createSequence(now: () => number, wait: Wait) {
  let freeAt = 0
  /** Resolves once the earlier tasks are over by their durations. */
  return async (duration: number): Promise<void> => {
    const startsAt = Math.max(now(), freeAt)
    freeAt = startsAt + duration
    // A timer is not exact below a millisecond.
    if (startsAt - now() >= 1) await wait(startsAt - now())
  }
}

/**
 * The pace of reading what pods print: a limit for each pod, and one for all together, which takes
 * the chunks in turn. Further output waits on the node of its pod.
 */
export function createOutputPace({ now, wait }: { now: () => number; wait: Wait }) {
  const ofAll = createSequence(now, wait)
  return (): Turn => {
    const ofPod = createSequence(now, wait)
    return async (chunk) => {
      const duration = durationOf(chunk)
      await ofPod(duration)
      await ofAll(duration / endlessPods)
    }
  }
}
