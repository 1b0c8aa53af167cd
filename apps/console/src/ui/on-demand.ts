import { useCallback, useState } from 'react'

/**
 * A part that a page rarely needs, with its code in a chunk of its own. `fetch` before it is used, when
 * the pointer or the focus comes near; `part` is null until it is there.
 */
export function useOnDemand<Part extends object>(load: () => Promise<Part>) {
  const [part, setPart] = useState<Part | null>(null)
  const fetch = useCallback(() => {
    load().then(setPart, reportError)
  }, [load])
  return { part, fetch }
}
