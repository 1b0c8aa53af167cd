import { limits, second } from '@slipway/contract/limits'
import type { Ticket } from '@slipway/contract/support'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { invalidateTicket } from './ticket-queries.ts'

/** When a resolved ticket stops accepting messages, in milliseconds; null for an open one. */
export const closingTime = ({ resolvedAt }: Pick<Ticket, 'resolvedAt'>) =>
  resolvedAt === null ? null : Date.parse(resolvedAt) + limits.ticketClosesAfter

/** Timers stop while the device sleeps, so check the time repeatedly. */
const checkInterval = 30 * second

/**
 * Refetches a ticket when it should be closed. The server decides: this device's clock may be
 * wrong.
 */
export function useRefetchOnClosing(ticket: Pick<Ticket, 'id' | 'resolvedAt' | 'closed'>) {
  const queryClient = useQueryClient()
  const closesAt = ticket.closed ? null : closingTime(ticket)
  useEffect(() => {
    if (closesAt === null) return
    const check = () => {
      if (Date.now() >= closesAt) invalidateTicket(queryClient, ticket.id)
    }
    const timeout = setTimeout(check, Math.max(closesAt - Date.now(), 0))
    const timer = setInterval(check, checkInterval)
    document.addEventListener('visibilitychange', check)
    return () => {
      clearTimeout(timeout)
      clearInterval(timer)
      document.removeEventListener('visibilitychange', check)
    }
  }, [queryClient, ticket.id, closesAt])
}
