export type Limiter = {
  /**
   * Waits for a slot. The caller releases it with the returned function, once. An urgent caller
   * gets a slot before those that are not.
   */
  acquire(options?: { urgent?: boolean }): Promise<() => void>
  run<T>(task: () => Promise<T>): Promise<T>
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
  const acquire: Limiter['acquire'] = async (options) => {
    const queue = options?.urgent ? urgent : others
    if (free > 0) free -= 1
    else await new Promise<void>((resolve) => queue.push(resolve))
    return release
  }
  return {
    acquire,
    async run(task) {
      await acquire()
      try {
        return await task()
      } finally {
        release()
      }
    },
  }
}
