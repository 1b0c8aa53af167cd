import { useSyncExternalStore } from 'react'

/** So wide that a second column fits beside a table. */
const query = '(width >= 90rem)'

function subscribe(listener: () => void) {
  const wide = matchMedia(query)
  wide.addEventListener('change', listener)
  return () => wide.removeEventListener('change', listener)
}

/** True while the window has room for a column beside a table. */
export const useIsWide = () => useSyncExternalStore(subscribe, () => matchMedia(query).matches)
