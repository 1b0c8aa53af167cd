export type KeyedLock = <T>(key: string, task: () => Promise<T>) => Promise<T>

/** Runs the tasks of one key in sequence, and those of different keys concurrently. */
export const createKeyedLock = (): KeyedLock => {
  const tails = new Map<string, Promise<unknown>>()
  return (key, task) => {
    const before = tails.get(key) ?? Promise.resolve()
    // The caller handles a failure; the next task starts regardless.
    const result = before.then(task, task)
    tails.set(key, result)
    const forget = () => {
      if (tails.get(key) === result) tails.delete(key)
    }
    result.then(forget, forget)
    return result
  }
}
