import { second } from '@slipway/contract/limits'
import { getSession } from '@slipway/contract/sessions'
import { useEffect, useEffectEvent } from 'react'
import { call } from '../../../api/client.ts'

/** The page may stand beside the one where the link is opened. */
const pause = 5 * second

/**
 * Asks now, every few seconds while the page is in sight and when it is looked at again, and calls `onVerified` once the account is verified:
 * the mailed link was opened, in another tab or on another device.
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
        const session = await call(getSession, undefined, left.signal)
        if (session.verified && !left.signal.aborted) verified()
      } catch {
        // No answer: the user asked for nothing, so there is nothing to tell.
      } finally {
        asking = false
      }
    }
    void ask()
    const timer = setInterval(ask, pause)
    addEventListener('focus', ask, { signal: left.signal })
    document.addEventListener('visibilitychange', ask, { signal: left.signal })
    return () => {
      clearInterval(timer)
      left.abort()
    }
  }, [])
}
