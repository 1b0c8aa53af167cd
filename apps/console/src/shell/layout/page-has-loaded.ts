import type { UserProfile } from '@slipway/contract/account'
import { useIsFetching } from '@tanstack/react-query'
import { useEffect, useState } from 'react'

/** A delay in milliseconds that lets the browser paint. */
const timeToPaint = 100

/** True once the page shows its data: requests of the layout come after the page's. */
export function usePageHasLoaded(profile: UserProfile | undefined) {
  const [loaded, setLoaded] = useState(false)
  const isIdle = useIsFetching() === 0 && profile !== undefined
  useEffect(() => {
    if (!isIdle) return
    const timer = setTimeout(() => setLoaded(true), timeToPaint)
    return () => clearTimeout(timer)
  }, [isIdle])
  return loaded
}
