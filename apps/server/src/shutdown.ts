import type { Log } from './log.ts'

/** A part of the service that is closed at a shutdown. */
export type Part = {
  name: string
  /** How long its closing may take, in milliseconds. */
  deadline: number
  close(): Promise<unknown>
}

/**
 * Closes a part. Returns after its deadline at the latest, so that a part that hangs or fails does
 * not stop the others.
 */
export async function closePart({ name, deadline, close }: Part, log: Log): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const tooLate = new Promise<void>((resolve) => {
    timer = setTimeout(() => {
      log.warn({ part: name, deadline }, 'a part did not close in time: the shutdown continues')
      resolve()
    }, deadline)
  })
  const closed = Promise.resolve()
    .then(close)
    .catch((err) => log.error({ err, part: name }, 'a part did not close cleanly'))
  await Promise.race([closed, tooLate])
  clearTimeout(timer)
}
