import { limits, second } from '@slipway/contract/limits'
import type { Ticket } from '@slipway/contract/support'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { askAgain } from './ticket-queries.ts'

/** When a resolved ticket stops taking messages, in milliseconds; null for an open one. */
export const closesAt = ({ resolvedAt }: Pick<Ticket, 'resolvedAt'>) =>
  resolvedAt === null ? null : Date.parse(resolvedAt) + limits.ticketClosesAfter

/** A timer stands still while the machine sleeps, so the time is looked at again and again. */
const step = 30 * second

/**
 * Asks the service about a ticket when the time has come that it takes no more messages. The service says
 * whether it does: this machine's clock may be wrong.
 */
export function useClosingWatch(ticket: Pick<Ticket, 'id' | 'resolvedAt' | 'closed'>) {
  const queryClient = useQueryClient()
  const at = ticket.closed ? null : closesAt(ticket)
  useEffect(() => {
    if (at === null) return
    const look = () => {
      if (Date.now() >= at) askAgain(queryClient, ticket.id)
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
