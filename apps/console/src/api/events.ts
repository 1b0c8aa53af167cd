import type { Event, EventOf } from '@slipway/contract/events'
import type { Query, QueryClient, QueryFilters } from '@tanstack/react-query'

/** A list, or the detail of the thing with that id. Which of them is shown, the client knows. */
const listAndDetail = (resource: string, id: string): QueryFilters => ({
  queryKey: [resource],
  predicate: ({ queryKey, state }: Query) =>
    queryKey[1] === 'all' || (state.data as { id?: string } | undefined)?.id === id,
})

/** What each event makes stale. */
const stale: { [Kind in Event['kind']]: (data: EventOf<Kind>['data']) => QueryFilters[] } = {
  Project: ({ projectId }) => [listAndDetail('projects', projectId)],
  // Who joins or leaves a team sees other projects.
  Team: ({ teamId }) => [listAndDetail('teams', teamId), { queryKey: ['projects', 'all'] }],
  // What somebody belongs to says what they see.
  User: ({ type }) =>
    (type === 'Invited' ? ['invitations'] : ['invitations', 'teams', 'projects', 'profile']).map(
      (key) => ({ queryKey: [key] }),
    ),
  Ticket: ({ ticketId }) => [
    listAndDetail('tickets', ticketId),
    { queryKey: ['tickets', 'unread'] },
  ],
  // Whichever changed, it may be on the page of the list that is shown.
  Invoice: () => [{ queryKey: ['invoices'] }],
}

const filtersOf = <Kind extends Event['kind']>(kind: Kind, data: EventOf<Kind>['data']) =>
  stale[kind](data)

/**
 * The first answer of a query may be on its way, and older than the event: nobody knows yet whether it is
 * about that thing, and a first answer is not asked for anew before it is there. So it is then.
 */
function askAgainOnceThere(queryClient: QueryClient, filters: QueryFilters) {
  const { queryKey = [] } = filters
  for (const query of queryClient.getQueryCache().findAll({ queryKey, fetchStatus: 'fetching' })) {
    if (query.state.data !== undefined) continue
    const exactly = { queryKey: query.queryKey, exact: true }
    query.promise?.then(
      () => queryClient.invalidateQueries(exactly),
      // It shows its failure by itself.
      () => undefined,
    )
  }
}

/** Fetches again what the event says has changed, where it is shown; the rest when it is next shown. */
export function applyEvent(queryClient: QueryClient, { kind, data }: Event) {
  for (const filters of filtersOf(kind, data as never)) {
    askAgainOnceThere(queryClient, filters)
    void queryClient.invalidateQueries(filters)
  }
}

/** What events may change: fetched again when the socket opens, because it missed what came before. */
export const changesByEvents: QueryFilters = {
  predicate: ({ queryKey }) =>
    ['projects', 'teams', 'invitations', 'tickets', 'invoices'].includes(String(queryKey[0])),
}
