import { useCallback, useState } from 'react'

/**
 * A rarely shown part of a page, in a separate chunk. Call `preload` on hover or focus; it resolves
 * to whether the part has loaded. `part` is null until then. After a network failure it retries
 * when the network is back.
 */
export function useOnDemand<Part extends object>(load: () => Promise<Part>) {
  const [part, setPart] = useState<Part | null>(null)
  const preload = useCallback(async () => {
    try {
      setPart(await load())
      return true
    } catch (error) {
      if (navigator.onLine) reportError(error)
      else addEventListener('online', () => void load().then(setPart, reportError), { once: true })
      return false
    }
  }, [load])
  return { part, preload }
}
