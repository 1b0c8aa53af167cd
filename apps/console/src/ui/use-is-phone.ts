import { useSyncExternalStore } from 'react'

/** As the `sm:` of classes has it: from this width on rows are rows, and below it cards. */
const query = '(width < 40rem)'

function subscribe(listener: () => void) {
  const phone = matchMedia(query)
  phone.addEventListener('change', listener)
  return () => phone.removeEventListener('change', listener)
}

/** True where the window is as narrow as a phone's: for what classes alone cannot say. */
export const useIsPhone = () => useSyncExternalStore(subscribe, () => matchMedia(query).matches)
