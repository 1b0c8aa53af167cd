import { createLimiter } from './limiter.ts'

/** The most recipient queries at a time: the other database connections stay free for requests. */
const concurrentQueries = 4

type Options<Delivery> = {
  /** Finds the recipients of an event; undefined if there are none. */
  findRecipients: (payload: string) => Promise<Delivery | undefined>
  deliver: (delivery: Delivery) => void
}

/**
 * Returns a function that delivers an event to its recipients, in the order of the calls. The
 * recipients of several events are read at the same time. An event is a hint to read data
 * again, so one that still waits stands for all equal ones after it.
 */
export function createOrderedEvents<Delivery>({ findRecipients, deliver }: Options<Delivery>) {
  const queries = createLimiter(concurrentQueries)
  /** The payloads whose recipients are not being read yet. */
  const waiting = new Set<string>()
  let previous: Promise<unknown> = Promise.resolve()

  return async (payload: string): Promise<void> => {
    if (waiting.has(payload)) return
    waiting.add(payload)
    const recipients = queries.run(() => {
      waiting.delete(payload)
      return findRecipients(payload)
    })
    const delivered = Promise.all([recipients, previous]).then(([delivery]) => {
      if (delivery) deliver(delivery)
    })
    previous = Promise.allSettled([delivered])
    return delivered
  }
}
