import { second } from '@slipway/contract/limits'
import type { Context } from '../context.ts'
import type { Log } from '../log.ts'
import type { Notifications } from './notifications.ts'

const retryDelay = second

type Source = {
  /** Names the rows in the log. */
  name: string
  channel: string
  readAll: () => Promise<void>
  /** The read that a notification needs; undefined if it concerns other rows. */
  readAfter: (payload: string) => (() => Promise<void>) | undefined
}

/**
 * Makes a copy of rows in memory follow their changes: reads all now and after a gap in the
 * notifications, and single rows as they change. A failed read is followed by a full one.
 * Resolves after the first full read, and rejects when that fails.
 */
export async function followChanges(
  ctx: Pick<Context, 'stopping'> & { log: Log },
  notifications: Notifications,
  { name, channel, readAll, readAfter }: Source,
): Promise<void> {
  let reading = Promise.resolve()
  /** False after a failed read: the next read loads all rows. */
  let isComplete = true
  let isRetrying = false
  /** The notifications whose read has not started. */
  const waiting = new Set<string>()

  /** Runs reads one after the other, so that an older result never overwrites a newer one. */
  function enqueue(read: () => Promise<void>) {
    reading = reading
      .then(() => (isComplete ? read() : readAll()))
      .then(() => {
        isComplete = true
      })
      .catch((err) => {
        isComplete = false
        if (ctx.stopping.aborted) return
        ctx.log.warn({ err }, `${name} could not be read again`)
        if (isRetrying) return
        isRetrying = true
        setTimeout(() => {
          isRetrying = false
          enqueue(readAll)
        }, retryDelay).unref()
      })
  }

  notifications.on(channel, (payload) => {
    const read = readAfter(payload)
    // A read that has not started finds this change, too.
    if (!read || waiting.has(payload)) return
    waiting.add(payload)
    reading = reading.then(() => {
      waiting.delete(payload)
    })
    enqueue(read)
  })
  notifications.onGap(() => enqueue(readAll))
  // The listener is attached: changes from here on are read after this.
  reading = readAll()
  await reading
}
