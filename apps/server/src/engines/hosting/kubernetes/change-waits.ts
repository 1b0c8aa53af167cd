export type ChangeWaits = ReturnType<typeof createChangeWaits>

/** Waits for changes of instances that the watches of a cluster see. `closing` ends all waits. */
export function createChangeWaits(closing: AbortSignal) {
  const waiting = new Map<string, Set<() => void>>()

  return {
    /** Makes the waits of an instance check again. */
    notify(key: string) {
      for (const look of waiting.get(key) ?? []) look()
    },

    /** Makes all waits check again. */
    notifyAll() {
      for (const looks of [...waiting.values()]) for (const look of [...looks]) look()
    },

    /**
     * Calls `look` after each change of an instance until it returns a value; null after the
     * timeout. Rejects when `look` throws.
     */
    async untilSeen<Value>(
      key: string,
      timeoutMs: number,
      look: () => Value | undefined,
    ): Promise<Value | null> {
      const current = look()
      if (current !== undefined) return current
      return new Promise((resolve, reject) => {
        const watchers = waiting.get(key) ?? new Set<() => void>()
        const clear = () => {
          clearTimeout(timer)
          closing.removeEventListener('abort', stop)
          watchers.delete(check)
          if (watchers.size === 0) waiting.delete(key)
        }
        const check = () => {
          try {
            const value = look()
            if (value === undefined) return
            resolve(value)
          } catch (error) {
            reject(error)
          }
          clear()
        }
        const stop = () => {
          resolve(null)
          clear()
        }
        const timer = setTimeout(stop, timeoutMs)
        closing.addEventListener('abort', stop)
        watchers.add(check)
        waiting.set(key, watchers)
      })
    },
  }
}
