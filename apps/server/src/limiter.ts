export type Limiter = {
  /**
   * Waits for a slot. The caller releases it with the returned function, once. An urgent caller
   * gets a slot before those that are not. Rejects when the signal aborts before there is one.
   */
  acquire(options?: { urgent?: boolean; signal?: AbortSignal }): Promise<() => void>
  run<T>(task: () => Promise<T>, signal?: AbortSignal): Promise<T>
}

/** Limits concurrent work to this many slots; the rest waits in a queue. */
export const createLimiter = (slots: number): Limiter => {
  const urgent: (() => void)[] = []
  const others: (() => void)[] = []
  let free = slots

  const release = () => {
    const next = urgent.shift() ?? others.shift()
    if (next) next()
    else free += 1
  }
  const wait = (queue: (() => void)[], signal: AbortSignal | undefined) =>
    new Promise<void>((resolve, reject) => {
      const abort = () => {
        queue.splice(queue.indexOf(start), 1)
        reject(signal?.reason)
      }
      const start = () => {
        signal?.removeEventListener('abort', abort)
        resolve()
      }
      queue.push(start)
      signal?.addEventListener('abort', abort)
    })
  const acquire: Limiter['acquire'] = async ({ urgent: isUrgent, signal } = {}) => {
    signal?.throwIfAborted()
    if (free > 0) free -= 1
    else await wait(isUrgent ? urgent : others, signal)
    return release
  }
  return {
    acquire,
    async run(task, signal) {
      await acquire(signal && { signal })
      try {
        return await task()
      } finally {
        release()
      }
    },
  }
}
