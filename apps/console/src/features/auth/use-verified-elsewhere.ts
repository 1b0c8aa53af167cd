import { getProfile } from '@slipway/contract/account'
import { useEffect, useEffectEvent } from 'react'
import { call } from '../../api/client.ts'

/**
 * Asks for the profile now and whenever the page is looked at again, and calls `onVerified` once the
 * service gives it: the mailed link was opened, in another tab or on another device.
 */
export function useVerifiedElsewhere(onVerified: () => void) {
  const verified = useEffectEvent(onVerified)
  useEffect(() => {
    const left = new AbortController()
    let asking = false
    async function ask() {
      if (asking || document.visibilityState === 'hidden') return
      asking = true
      try {
        await call(getProfile, undefined, left.signal)
        if (!left.signal.aborted) verified()
      } catch {
        // Not verified yet, or no answer: the user asked for nothing, so there is nothing to tell.
      } finally {
        asking = false
      }
    }
    void ask()
    addEventListener('focus', ask, { signal: left.signal })
    document.addEventListener('visibilitychange', ask, { signal: left.signal })
    return () => left.abort()
  }, [])
}
