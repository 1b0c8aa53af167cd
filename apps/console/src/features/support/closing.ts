import { limits, second } from '@slipway/contract/limits'
import type { Ticket } from '@slipway/contract/support'
import { useEffect, useState } from 'react'

/** When a resolved ticket stops taking messages, in milliseconds; null for an open one. */
export const closesAt = ({ resolvedAt }: Pick<Ticket, 'resolvedAt'>) =>
  resolvedAt === null ? null : Date.parse(resolvedAt) + limits.ticketClosesAfter

/** A timer stands still while the machine sleeps, so the time is looked at again and again. */
const step = 30 * second

/** Whether a ticket takes no more messages, also when that time passes while it is looked at. */
export function useIsClosed(ticket: Pick<Ticket, 'resolvedAt'>) {
  const at = closesAt(ticket)
  const [now, setNow] = useState(() => Date.now())
  const isClosed = at !== null && now >= at

  useEffect(() => {
    if (at === null || isClosed) return
    const look = () => setNow(Date.now())
    const timer = setTimeout(look, Math.min(Math.max(at - now, 0), step))
    document.addEventListener('visibilitychange', look)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', look)
    }
  }, [at, isClosed, now])

  return isClosed
}
