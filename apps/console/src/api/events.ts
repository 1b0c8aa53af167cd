import type { Event, EventOf } from '@slipway/contract/events'
import { matchQuery, type Query, type QueryClient, type QueryFilters } from '@tanstack/react-query'

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
  // What somebody belongs to says what they see; their cards and their name are theirs in every tab.
  User: ({ type }) =>
    (type === 'Invited'
      ? ['invitations']
      : ['invitations', 'teams', 'projects', 'profile', 'payment-methods']
    ).map((key) => ({ queryKey: [key] })),
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
function askAgainOnceThere(queryClient: QueryClient, all: readonly QueryFilters[]) {
  const keys = all.map(({ queryKey = [] }) => ({ queryKey }))
  for (const query of queryClient.getQueryCache().findAll({ fetchStatus: 'fetching' })) {
    if (query.state.data !== undefined || !keys.some((key) => matchQuery(key, query))) continue
    const exactly = { queryKey: query.queryKey, exact: true }
    query.promise?.then(
      () => queryClient.invalidateQueries(exactly),
      // It shows its failure by itself.
      () => undefined,
    )
  }
}

/** How long events are collected, in milliseconds: one payment may bring two for each of 100 invoices. */
const collecting = 100

/**
 * Fetches again what events say has changed, where it is shown; the rest when it is next shown. Events that
 * come shortly after one another are applied together, so that nothing is fetched for each of them.
 */
export function collectEvents(queryClient: QueryClient) {
  let collected: QueryFilters[] = []
  let timer: ReturnType<typeof setTimeout> | undefined

  function apply() {
    clearTimeout(timer)
    timer = undefined
    const all = collected
    collected = []
    if (all.length === 0) return
    askAgainOnceThere(queryClient, all)
    const predicate = (query: Query) => all.some((filters) => matchQuery(filters, query))
    void queryClient.invalidateQueries({ predicate })
  }

  return {
    add({ kind, data }: Event) {
      collected.push(...filtersOf(kind, data as never))
      // From the first of them on: a stream of events without a gap is applied, too.
      timer ??= setTimeout(apply, collecting)
    },
    /** Applies what has been collected at once. */
    apply,
  }
}

/** What events may change: fetched again when the socket opens, because it missed what came before. */
export const changesByEvents: QueryFilters = {
  predicate: ({ queryKey }) =>
    ['projects', 'teams', 'invitations', 'tickets', 'invoices'].includes(String(queryKey[0])),
}
