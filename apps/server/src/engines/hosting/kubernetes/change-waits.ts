export type ChangeWaits = ReturnType<typeof createChangeWaits>

/** Waits for what the watches of a cluster see of an instance. All end when `closing` does. */
export function createChangeWaits(closing: AbortSignal) {
  const waiting = new Map<string, Set<() => void>>()

  return {
    /** Has the waits of an instance look again. */
    notify(key: string) {
      for (const look of waiting.get(key) ?? []) look()
    },

    /** Calls `look` after each change of an instance until it returns a value; null if late. */
    async untilSeen<Value>(
      key: string,
      timeoutMs: number,
      look: () => Value | undefined,
    ): Promise<Value | null> {
      const found = look()
      if (found !== undefined) return found
      return new Promise((resolve) => {
        const watchers = waiting.get(key) ?? new Set<() => void>()
        const end = (value: Value | null) => {
          clearTimeout(timer)
          closing.removeEventListener('abort', stop)
          watchers.delete(check)
          if (watchers.size === 0) waiting.delete(key)
          resolve(value)
        }
        const check = () => {
          const value = look()
          if (value !== undefined) end(value)
        }
        const stop = () => end(null)
        const timer = setTimeout(stop, timeoutMs)
        closing.addEventListener('abort', stop)
        watchers.add(check)
        waiting.set(key, watchers)
      })
    },
  }
}
