import { second } from '@slipway/contract/limits'
import { useEffect, useState } from 'react'
import { useConnectionState } from '../../api/live-updates.ts'
import { useIsOnline } from './online.ts'

/** A server that starts anew is back before anybody needs to know. */
const grace = 3 * second

/** What the connection has come to, without its going to and fro while it is tried again. */
type Course =
  | { state: 'never' }
  | { state: 'connected' }
  | { state: 'away'; since: number; isLong: boolean }

/**
 * Since when, in milliseconds, the pages have not been kept up to date; null while they are. Where live
 * updates have never come through, there is nothing to miss: lists are asked for again when looked at.
 */
export function useStaleSince() {
  const connection = useConnectionState()
  const isOnline = useIsOnline()
  const [course, setCourse] = useState<Course>({ state: 'never' })

  if (connection === 'connected' && course.state !== 'connected') setCourse({ state: 'connected' })
  const isLost = connection === 'disconnected' && course.state !== 'away'
  if (isLost && (course.state === 'connected' || !isOnline))
    setCourse({ state: 'away', since: Date.now(), isLong: false })

  const isWaiting = course.state === 'away' && !course.isLong
  useEffect(() => {
    if (!isWaiting) return
    const timer = setTimeout(
      () => setCourse((held) => (held.state === 'away' ? { ...held, isLong: true } : held)),
      grace,
    )
    return () => clearTimeout(timer)
  }, [isWaiting])

  if (course.state !== 'away') return null
  return course.isLong || !isOnline ? course.since : null
}
