import { second } from '@slipway/contract/limits'
import type { Ticket, TicketDetail, TicketId, TicketMessage } from '@slipway/contract/support'
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useConnectionState } from '../../api/live-updates.ts'
import { ticketQuery, ticketsQuery, unreadTicketsQuery } from '../../api/queries.ts'

/** How often to refetch replies without live updates. */
const pollInterval = 15 * second

const useRefetchInterval = () => (useConnectionState() === 'connected' ? false : pollInterval)

export const useTickets = () => useQuery({ ...ticketsQuery, refetchInterval: useRefetchInterval() })

/** A ticket; shows the list's data as placeholder until it is loaded. */
export function useTicket(id: TicketId) {
  const queryClient = useQueryClient()
  return useQuery({
    ...ticketQuery(id),
    refetchInterval: useRefetchInterval(),
    placeholderData: (): TicketDetail | undefined => {
      const listed = queryClient
        .getQueryData(ticketsQuery.queryKey)
        ?.find((cached) => cached.id === id)
      return listed && { ...listed, messages: [], olderMessages: 0 }
    },
  })
}

function updateCached(queryClient: QueryClient, id: TicketId, update: (ticket: Ticket) => Ticket) {
  queryClient.setQueryData(ticketsQuery.queryKey, (tickets) =>
    tickets?.map((cached) => (cached.id === id ? update(cached) : cached)),
  )
  queryClient.setQueryData(
    ticketQuery(id).queryKey,
    (cached) => cached && { ...cached, ...update(cached) },
  )
}

export function invalidateTicket(queryClient: QueryClient, id: TicketId) {
  void queryClient.invalidateQueries({ queryKey: ticketsQuery.queryKey })
  void queryClient.invalidateQueries({ queryKey: ticketQuery(id).queryKey })
}

export function cacheCreatedTicket(queryClient: QueryClient, ticket: TicketDetail) {
  queryClient.setQueryData(ticketQuery(ticket.id).queryKey, ticket)
  void queryClient.invalidateQueries({ queryKey: ticketsQuery.queryKey })
}

/** Stores a ticket from a response, unless a newer one is cached, and refetches it. */
export function cacheTicket(queryClient: QueryClient, ticket: Ticket) {
  updateCached(queryClient, ticket.id, (cached) =>
    ticket.updatedAt < cached.updatedAt ? cached : ticket,
  )
  invalidateTicket(queryClient, ticket.id)
}

/** Appends a message unless an event has already added it. */
const withMessage = (messages: TicketMessage[], message: TicketMessage): TicketMessage[] =>
  messages.some(({ id }) => id === message.id) ? messages : [...messages, message]

export function cacheSentMessage(queryClient: QueryClient, id: TicketId, message: TicketMessage) {
  queryClient.setQueryData(
    ticketQuery(id).queryKey,
    (cached) => cached && { ...cached, messages: withMessage(cached.messages, message) },
  )
  invalidateTicket(queryClient, id)
}

/** Marks a ticket as read and refetches the count of unread tickets. */
export function cacheTicketRead(queryClient: QueryClient, id: TicketId) {
  updateCached(queryClient, id, (cached) => ({ ...cached, unread: false }))
  void queryClient.invalidateQueries({ queryKey: unreadTicketsQuery.queryKey })
}
