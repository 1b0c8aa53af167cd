import { useEffect, useEffectEvent, useSyncExternalStore } from 'react'
import { onSessionChange, sessionToken } from '../../api/session.ts'

/** True while a user is signed in on this device, in any tab. */
export const useSignedIn = () =>
  useSyncExternalStore(onSessionChange, sessionToken, sessionToken) !== null

/**
 * Restricts a page to guests or to signed-in users: returns true if the page may show, and calls
 * `leave` as soon as it may not.
 */
export function useSessionGate(audience: 'guest' | 'signed-in', leave: () => void) {
  const isAllowed = useSignedIn() === (audience === 'signed-in')
  const onDisallowed = useEffectEvent(leave)
  useEffect(() => {
    if (!isAllowed) onDisallowed()
  }, [isAllowed])
  return isAllowed
}
