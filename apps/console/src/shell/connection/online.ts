import { useSyncExternalStore } from 'react'

function onConnectionChange(listener: () => void) {
  addEventListener('online', listener)
  addEventListener('offline', listener)
  return () => {
    removeEventListener('online', listener)
    removeEventListener('offline', listener)
  }
}

/** False if the browser knows that there is no network. */
export const useIsOnline = () => useSyncExternalStore(onConnectionChange, () => navigator.onLine)
