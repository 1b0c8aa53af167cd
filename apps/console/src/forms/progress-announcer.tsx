import { m } from '@slipway/phrases'
import { useSyncExternalStore } from 'react'
import { isAnythingSlow, subscribeToSlow } from '../ui/use-is-slow.ts'

/** Says to whom cannot see the button turn that what it does takes a while. */
export function ProgressAnnouncer() {
  const isSlow = useSyncExternalStore(subscribeToSlow, isAnythingSlow)
  return (
    <p role="status" className="sr-only">
      {isSlow ? m.shell_working() : ''}
    </p>
  )
}
