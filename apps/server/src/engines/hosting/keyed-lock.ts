export type KeyedLock = {
  exclusively<T>(key: string, task: () => Promise<T>): Promise<T>
  /** Resolves when no task runs or waits. */
  idle(): Promise<void>
}

/** Runs the tasks of one key in sequence, of different keys concurrently. */
export const createKeyedLock = (): KeyedLock => {
  const tails = new Map<string, Promise<unknown>>()
  return {
    exclusively(key, task) {
      const previous = tails.get(key) ?? Promise.resolve()
      // The caller handles a failure; the next task starts regardless.
      const result = previous.then(task, task)
      tails.set(key, result)
      const removeTail = () => {
        if (tails.get(key) === result) tails.delete(key)
      }
      result.then(removeTail, removeTail)
      return result
    },
    async idle() {
      while (tails.size > 0) await Promise.allSettled(tails.values())
    },
  }
}
