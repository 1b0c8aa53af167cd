import { useEffect, useEffectEvent, useSyncExternalStore } from 'react'
import { onSessionChange, sessionToken } from '../../api/session.ts'

/** Whether somebody is signed in on this device, in whichever tab. */
export const useSignedIn = () =>
  useSyncExternalStore(onSessionChange, sessionToken, sessionToken) !== null

/**
 * For a page that is for guests alone, or for the signed-in alone: calls `leave` as soon as the visitor
 * is not what it is for. Gives whether the page may show.
 */
export function useSessionGate(wanted: 'guest' | 'signed-in', leave: () => void) {
  const fits = useSignedIn() === (wanted === 'signed-in')
  const onMisfit = useEffectEvent(leave)
  useEffect(() => {
    if (!fits) onMisfit()
  }, [fits])
  return fits
}
