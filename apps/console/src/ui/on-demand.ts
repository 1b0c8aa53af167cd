import { useCallback, useState } from 'react'

/**
 * A part that a page rarely needs, with its code in a chunk of its own. `fetch` before it is used, when
 * the pointer or the focus comes near; `part` is null until it is there. Resolves to whether it is: what the
 * network did not give is asked for again once it is back.
 */
export function useOnDemand<Part extends object>(load: () => Promise<Part>) {
  const [part, setPart] = useState<Part | null>(null)
  const fetch = useCallback(async () => {
    try {
      setPart(await load())
      return true
    } catch (error) {
      if (navigator.onLine) reportError(error)
      else addEventListener('online', () => void load().then(setPart, reportError), { once: true })
      return false
    }
  }, [load])
  return { part, fetch }
}
