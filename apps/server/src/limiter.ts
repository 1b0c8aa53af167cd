export type Limiter = {
  /** Waits for a slot. The caller releases it with the returned function, once. */
  acquire(): Promise<() => void>
  run<T>(task: () => Promise<T>): Promise<T>
}

/** Limits concurrent work to this many slots; the rest waits in a queue. */
export const createLimiter = (slots: number): Limiter => {
  const waiting: (() => void)[] = []
  let free = slots

  const release = () => {
    const next = waiting.shift()
    if (next) next()
    else free += 1
  }
  const acquire = async () => {
    if (free > 0) free -= 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
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
