import { useEffect, useRef } from 'react'

/**
 * Returns a function that tells whether the user is still on this page: a late response must not
 * navigate a user who has left.
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
