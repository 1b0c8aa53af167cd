import { useSyncExternalStore } from 'react'

/** So wide that something fits beside the page's content: partly in its margin. */
const query = '(width >= 90rem)'

function subscribe(listener: () => void) {
  const wide = matchMedia(query)
  wide.addEventListener('change', listener)
  return () => wide.removeEventListener('change', listener)
}

/** True while the window has room for something beside the page's content. */
export const useHasMargin = () => useSyncExternalStore(subscribe, () => matchMedia(query).matches)
