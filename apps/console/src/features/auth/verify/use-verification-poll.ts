import { second } from '@slipway/contract/limits'
import { getSession } from '@slipway/contract/sessions'
import { useEffect, useEffectEvent } from 'react'
import { call } from '../../../api/client.ts'

/** Short, because the page may be visible beside the one where the link is opened. */
const pause = 5 * second

/**
 * Polls the session while the page is visible, and on focus. Calls `onVerified` once the account
 * is verified, in another tab or on another device.
 */
export function useVerificationPoll(onVerified: () => void) {
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
        // The user did not request this, so nothing is reported.
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
