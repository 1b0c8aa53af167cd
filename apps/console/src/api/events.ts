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
  User: () => [{ queryKey: ['invitations'] }],
}

const filtersOf = <Kind extends Event['kind']>(kind: Kind, data: EventOf<Kind>['data']) =>
  stale[kind](data)

/** Fetches again what the event says has changed, where it is shown; the rest when it is next shown. */
export function applyEvent(queryClient: QueryClient, { kind, data }: Event) {
  for (const filters of filtersOf(kind, data as never)) void queryClient.invalidateQueries(filters)
}

/** What events may change: fetched again when the socket opens, because it missed what came before. */
export const changesByEvents: QueryFilters = {
  predicate: ({ queryKey }) => ['projects', 'teams', 'invitations'].includes(String(queryKey[0])),
}
