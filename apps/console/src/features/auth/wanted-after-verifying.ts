import { useEffect } from 'react'
import { safeNextPath } from '../../shell/next-path.ts'

const key = 'wantedAfterVerifying'

/**
 * Remembers, for this tab, what is wanted once the account is verified: the mailed link, opened in the
 * same tab, says nothing of it.
 */
export function useWantedAfterVerifying(next: string | undefined) {
  useEffect(() => {
    if (next === undefined) return
    sessionStorage.setItem(key, next)
    return () => sessionStorage.removeItem(key)
  }, [next])
}

/** What this tab was on the way to, as a path that may be followed; or null. */
export const wantedAfterVerifying = () =>
  safeNextPath(sessionStorage.getItem(key) ?? undefined, location.origin)
