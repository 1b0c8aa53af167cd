import { useSyncExternalStore } from 'react'

/** The same width as `sm:` in classes: below it, table rows are cards. */
const query = '(width < 40rem)'

function subscribe(listener: () => void) {
  const phone = matchMedia(query)
  phone.addEventListener('change', listener)
  return () => phone.removeEventListener('change', listener)
}

/** True while the window is as narrow as a phone; for differences that classes cannot express. */
export const useIsPhone = () => useSyncExternalStore(subscribe, () => matchMedia(query).matches)
