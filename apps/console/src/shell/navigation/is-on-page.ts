import { useEffect, useRef } from 'react'

/**
 * Tells, after a call, whether the user is still on the page that made it. Whoever has left, or is on the
 * way elsewhere, is not pulled back by an answer that comes late.
 */
export function useIsOnPage() {
  const path = useRef<string>(undefined)
  useEffect(() => {
    path.current = location.pathname
    return () => {
      path.current = undefined
    }
  }, [])
  return () => path.current === location.pathname
}
