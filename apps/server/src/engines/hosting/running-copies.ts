type Copy = { controller: AbortController; done: Promise<void> }

/**
 * The copies of the files of running sites, one for each. They have no lock of the site: a copy
 * takes minutes, and the site may be changed, stopped and woken meanwhile.
 */
export const createRunningCopies = (closing: AbortSignal) => {
  const copies = new Map<string, Copy>()
  return {
    /**
     * Starts a copy, which rejects with the reason of the signal when it aborts. The caller has the
     * lock of the site, and has ended an earlier copy.
     */
    start(
      key: string,
      signal: AbortSignal,
      copy: (signal: AbortSignal) => Promise<void>,
    ): { done: Promise<void> } {
      const controller = new AbortController()
      const ended = AbortSignal.any([signal, closing, controller.signal])
      const done = copy(ended)
        .catch((error: unknown) => {
          // The reason, instead of an error that it has caused.
          ended.throwIfAborted()
          throw error
        })
        .finally(() => copies.delete(key))
      // The caller handles it, possibly later.
      done.catch(() => undefined)
      copies.set(key, { controller, done })
      return { done }
    },

    /** Ends the copy of a site whose files are about to be replaced or deleted, or moved. */
    async end(key: string): Promise<void> {
      const copy = copies.get(key)
      copy?.controller.abort(new Error(`The copy of ${key} was ended for another change`))
      await copy?.done.catch(() => undefined)
    },

    /** Resolves when no copy runs. */
    async idle(): Promise<void> {
      await Promise.allSettled([...copies.values()].map(({ done }) => done))
    },
  }
}
