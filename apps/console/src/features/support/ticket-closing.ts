import { limits, second } from '@slipway/contract/limits'
import type { Ticket } from '@slipway/contract/support'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { invalidateTicket } from './ticket-queries.ts'

/** When a resolved ticket stops accepting messages, in milliseconds; null for an open one. */
export const closingTime = ({ resolvedAt }: Pick<Ticket, 'resolvedAt'>) =>
  resolvedAt === null ? null : Date.parse(resolvedAt) + limits.ticketClosesAfter

/** Timers stop while the device sleeps, so check the time repeatedly. */
const step = 30 * second

/**
 * Refetches a ticket when it should be closed. The server decides: this device's clock may be
 * wrong.
 */
export function useRefetchOnClosing(ticket: Pick<Ticket, 'id' | 'resolvedAt' | 'closed'>) {
  const queryClient = useQueryClient()
  const at = ticket.closed ? null : closingTime(ticket)
  useEffect(() => {
    if (at === null) return
    const look = () => {
      if (Date.now() >= at) invalidateTicket(queryClient, ticket.id)
    }
    const soon = setTimeout(look, Math.max(at - Date.now(), 0))
    const timer = setInterval(look, step)
    document.addEventListener('visibilitychange', look)
    return () => {
      clearTimeout(soon)
      clearInterval(timer)
      document.removeEventListener('visibilitychange', look)
    }
  }, [queryClient, ticket.id, at])
}
