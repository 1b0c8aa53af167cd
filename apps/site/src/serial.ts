export type Serial = <T>(task: () => Promise<T>) => Promise<T>

/** Runs tasks one after the other, in the order they were given; one that fails does not stop the next. */
export const createSerial = (): Serial => {
  let last: Promise<unknown> = Promise.resolve()
  return (task) => {
    const result = last.then(task)
    last = Promise.allSettled([result])
    return result
  }
}
