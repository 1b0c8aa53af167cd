import { second } from '@slipway/contract/limits'
import type { Ticket, TicketDetail, TicketId, TicketMessage } from '@slipway/contract/support'
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useConnectionState } from '../../api/live-updates.ts'
import { ticketQuery, ticketsQuery, unreadTicketsQuery } from '../../api/queries.ts'

/** How often replies are asked for where live updates cannot get through. */
const withoutLiveUpdates = 15 * second

const useRefetchInterval = () => (useConnectionState() === 'connected' ? false : withoutLiveUpdates)

/** The tickets of the user, kept fresh. */
export const useTickets = () => useQuery({ ...ticketsQuery, refetchInterval: useRefetchInterval() })

/** A ticket, kept fresh. What the list knows of it shows first, as placeholder data. */
export function useTicket(id: TicketId) {
  const queryClient = useQueryClient()
  return useQuery({
    ...ticketQuery(id),
    refetchInterval: useRefetchInterval(),
    placeholderData: (): TicketDetail | undefined => {
      const listed = queryClient.getQueryData(ticketsQuery.queryKey)?.find((held) => held.id === id)
      return listed && { ...listed, messages: [], olderMessages: 0 }
    },
  })
}

function change(queryClient: QueryClient, id: TicketId, changed: (ticket: Ticket) => Ticket) {
  queryClient.setQueryData(ticketsQuery.queryKey, (tickets) =>
    tickets?.map((held) => (held.id === id ? changed(held) : held)),
  )
  queryClient.setQueryData(
    ticketQuery(id).queryKey,
    (held) => held && { ...held, ...changed(held) },
  )
}

/** Asks for what has happened to a ticket. */
export function askAgain(queryClient: QueryClient, id: TicketId) {
  void queryClient.invalidateQueries({ queryKey: ticketsQuery.queryKey })
  void queryClient.invalidateQueries({ queryKey: ticketQuery(id).queryKey })
}

/** Shows a ticket that was created at once. */
export function showCreated(queryClient: QueryClient, ticket: TicketDetail) {
  queryClient.setQueryData(ticketQuery(ticket.id).queryKey, ticket)
  void queryClient.invalidateQueries({ queryKey: ticketsQuery.queryKey })
}

/** Shows a ticket as a call answered it at once, and asks for what has happened since. */
export function showAnswered(queryClient: QueryClient, ticket: Ticket) {
  change(queryClient, ticket.id, (held) => (ticket.updatedAt < held.updatedAt ? held : ticket))
  askAgain(queryClient, ticket.id)
}

/** The messages with one more at their end; one that an event has brought already stays where it is. */
const withMessage = (
  messages: readonly TicketMessage[],
  message: TicketMessage,
): TicketMessage[] =>
  messages.some(({ id }) => id === message.id) ? [...messages] : [...messages, message]

/** Shows a message that was sent at once, and asks for what has happened since. */
export function showSent(queryClient: QueryClient, id: TicketId, message: TicketMessage) {
  queryClient.setQueryData(
    ticketQuery(id).queryKey,
    (held) => held && { ...held, messages: withMessage(held.messages, message) },
  )
  askAgain(queryClient, id)
}

/** Takes the mark of an unread reply away, here and in the navigation. */
export function showRead(queryClient: QueryClient, id: TicketId) {
  change(queryClient, id, (held) => ({ ...held, unread: false }))
  void queryClient.invalidateQueries({ queryKey: unreadTicketsQuery.queryKey })
}
