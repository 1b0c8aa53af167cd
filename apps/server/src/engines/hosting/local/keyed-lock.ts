export type KeyedLock = <T>(key: string, task: () => Promise<T>) => Promise<T>

/** Runs the tasks of one key one after the other, in the order they came; those of other keys at once. */
export const createKeyedLock = (): KeyedLock => {
  const tails = new Map<string, Promise<unknown>>()
  return (key, task) => {
    const before = tails.get(key) ?? Promise.resolve()
    // A task's failure is its caller's to handle; the next task starts all the same.
    const result = before.then(task, task)
    tails.set(key, result)
    const forget = () => {
      if (tails.get(key) === result) tails.delete(key)
    }
    result.then(forget, forget)
    return result
  }
}
