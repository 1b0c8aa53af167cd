export type Serial = <T>(task: () => Promise<T>) => Promise<T>

/** Runs tasks in sequence. A failure does not stop the next task. */
export const createSerial = (): Serial => {
  let last: Promise<unknown> = Promise.resolve()
  return (task) => {
    const result = last.then(task)
    last = Promise.allSettled([result])
    return result
  }
}
