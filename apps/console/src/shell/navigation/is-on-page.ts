import { useEffect, useRef } from 'react'

/**
 * Returns a check whether the user is still on this page, for after a call: a late response must
 * not navigate a user who already left.
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
