import { second } from '@slipway/contract/limits'
import { useEffect, useState } from 'react'
import { useConnectionState } from '../../api/live-updates.ts'
import { useIsOnline } from './online.ts'

/** Longer than a server restart, which needs no message. */
const gracePeriod = 3 * second

/** The connection without its intermediate states while it reconnects. */
type Phase =
  | { state: 'never' }
  | { state: 'connected' }
  | { state: 'lost'; since: number; isGraceOver: boolean }

/**
 * The time in milliseconds since when live updates are missing; null while they arrive. Before the
 * first connection nothing is missing: a list is refetched when it is shown.
 */
export function useStaleSince() {
  const connection = useConnectionState()
  const isOnline = useIsOnline()
  const [phase, setPhase] = useState<Phase>({ state: 'never' })

  if (connection === 'connected' && phase.state !== 'connected') setPhase({ state: 'connected' })
  const isLost = connection === 'disconnected' && phase.state !== 'lost'
  if (isLost && (phase.state === 'connected' || !isOnline))
    setPhase({ state: 'lost', since: Date.now(), isGraceOver: false })

  const isInGrace = phase.state === 'lost' && !phase.isGraceOver
  useEffect(() => {
    if (!isInGrace) return
    const timer = setTimeout(
      () =>
        setPhase((current) =>
          current.state === 'lost' ? { ...current, isGraceOver: true } : current,
        ),
      gracePeriod,
    )
    return () => clearTimeout(timer)
  }, [isInGrace])

  if (phase.state !== 'lost') return null
  return phase.isGraceOver || !isOnline ? phase.since : null
}
