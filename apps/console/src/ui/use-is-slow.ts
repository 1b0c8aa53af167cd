import { useEffect, useState } from 'react'

/** Milliseconds that people take for at once: a sign of progress before that only flickers. */
const atOnce = 400

const listeners = new Set<() => void>()
let count = 0

function add(more: number) {
  count += more
  for (const listener of listeners) listener()
}

/** Whether anything has been at work for so long that it is to be said. */
export const isAnythingSlow = () => count > 0

export function subscribeToSlow(listener: () => void) {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

/** True once something has been pending for longer than at once. */
export function useIsSlow(pending: boolean | undefined) {
  const [isSlow, setSlow] = useState(false)
  useEffect(() => {
    if (!pending) return
    const timer = setTimeout(() => setSlow(true), atOnce)
    return () => {
      clearTimeout(timer)
      setSlow(false)
    }
  }, [pending])
  useEffect(() => {
    if (!isSlow) return
    add(1)
    return () => add(-1)
  }, [isSlow])
  return isSlow
}
