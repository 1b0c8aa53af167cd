import { second } from '@slipway/contract/limits'
import { getSession } from '@slipway/contract/sessions'
import { useEffect, useEffectEvent } from 'react'
import { call } from '../../../api/client.ts'

/** Short, because the page may be visible beside the one where the link is opened. */
const interval = 5 * second

/**
 * Polls the session while the page is visible, and on focus. Calls `onVerified` once the account
 * is verified, in another tab or on another device.
 */
export function useVerificationPoll(onVerified: () => void) {
  const verified = useEffectEvent(onVerified)
  useEffect(() => {
    const controller = new AbortController()
    let isPolling = false
    async function poll() {
      if (isPolling || document.visibilityState === 'hidden') return
      isPolling = true
      try {
        const session = await call(getSession, undefined, controller.signal)
        if (session.verified && !controller.signal.aborted) verified()
      } catch {
        // The user did not request this, so nothing is reported.
      } finally {
        isPolling = false
      }
    }
    void poll()
    const timer = setInterval(poll, interval)
    addEventListener('focus', poll, { signal: controller.signal })
    document.addEventListener('visibilitychange', poll, { signal: controller.signal })
    return () => {
      clearInterval(timer)
      controller.abort()
    }
  }, [])
}
