import { m } from '@slipway/phrases'
import { useSyncExternalStore } from 'react'
import { isAnyActionSlow, subscribeToSlowActions } from '../ui/use-is-slow.ts'

/** Tells screen readers that an action takes longer than usual. */
export function ProgressAnnouncer() {
  const isSlow = useSyncExternalStore(subscribeToSlowActions, isAnyActionSlow)
  return (
    <p role="status" className="sr-only">
      {isSlow ? m.shell_working() : ''}
    </p>
  )
}
