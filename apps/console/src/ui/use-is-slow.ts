import { useEffect, useState } from 'react'

/** In milliseconds. A progress indicator that shows earlier only flickers. */
const slowAfter = 400

const listeners = new Set<() => void>()
let slowCount = 0

function addToCount(difference: number) {
  slowCount += difference
  for (const listener of listeners) listener()
}

/** True while any action on the page is slow. */
export const isAnyActionSlow = () => slowCount > 0

export function subscribeToSlowActions(listener: () => void) {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

/** True once an action has been pending for longer than `slowAfter`. */
export function useIsSlow(pending: boolean | undefined) {
  const [isSlow, setSlow] = useState(false)
  useEffect(() => {
    if (!pending) return
    const timer = setTimeout(() => setSlow(true), slowAfter)
    return () => {
      clearTimeout(timer)
      setSlow(false)
    }
  }, [pending])
  useEffect(() => {
    if (!isSlow) return
    addToCount(1)
    return () => addToCount(-1)
  }, [isSlow])
  return isSlow
}
