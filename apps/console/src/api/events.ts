import type { Event, EventOf } from '@slipway/contract/events'
import { matchQuery, type Query, type QueryClient, type QueryFilters } from '@tanstack/react-query'

const liveKeys = [
  'projects',
  'releases',
  'domains',
  'backups',
  'environment',
  'sign-in-clients',
  'next-steps',
  'personal-tokens',
  'teams',
  'registries',
  'invitations',
  'payment-methods',
  'tickets',
  'invoices',
  'activity',
] as const

type LiveFilters = QueryFilters & {
  queryKey: readonly [(typeof liveKeys)[number] | 'profile', ...unknown[]]
}

/** The queries of a resource: its list, and the detail with that id. */
const listAndDetail = (resource: (typeof liveKeys)[number], id: string): LiveFilters => ({
  queryKey: [resource],
  predicate: ({ queryKey, state }: Query) =>
    queryKey[1] === 'all' || (state.data as { id?: string } | undefined)?.id === id,
})

/** Any change may add an entry to the activity of its project, of its team and of the user. */
const activity: LiveFilters = { queryKey: ['activity'] }

/** The queries that each event makes stale. */
const stale: { [Kind in Event['kind']]: (data: EventOf<Kind>['data']) => LiveFilters[] } = {
  Project: ({ projectId }) => [
    listAndDetail('projects', projectId),
    { queryKey: ['releases', projectId] },
    { queryKey: ['domains', projectId] },
    { queryKey: ['backups', projectId] },
    { queryKey: ['environment', projectId] },
    { queryKey: ['sign-in-clients', projectId] },
    { queryKey: ['next-steps', projectId] },
    // The state of a project decides whether it is billed.
    { queryKey: ['invoices', 'active'] },
    activity,
  ],
  // Membership decides which projects a user sees.
  Team: ({ teamId }) => [
    listAndDetail('teams', teamId),
    { queryKey: ['registries', teamId] },
    { queryKey: ['projects', 'all'] },
    { queryKey: ['next-steps'] },
    activity,
  ],
  // Membership decides which resources a user sees; the name and the cards may be visible in other
  // browser tabs.
  User: ({ type }) =>
    (type === 'Invited'
      ? (['invitations'] as const)
      : ([
          'invitations',
          'teams',
          'projects',
          'profile',
          'payment-methods',
          'personal-tokens',
          'activity',
        ] as const)
    ).map((key) => ({ queryKey: [key] })),
  Ticket: ({ ticketId }) => [
    listAndDetail('tickets', ticketId),
    { queryKey: ['tickets', 'unread'] },
  ],
  // Any invoice may be on the visible page of the list.
  Invoice: () => [{ queryKey: ['invoices'] }, activity],
}

const filtersOf = <Kind extends Event['kind']>(kind: Kind, data: EventOf<Kind>['data']) =>
  stale[kind](data)

/**
 * Invalidates queries that wait for their first response, once it has arrived: it may be older than
 * the event, and invalidating a query without data does nothing.
 */
function invalidateOnceLoaded(queryClient: QueryClient, all: readonly QueryFilters[]) {
  const keys = all.map(({ queryKey = [] }) => ({ queryKey }))
  for (const query of queryClient.getQueryCache().findAll({ fetchStatus: 'fetching' })) {
    if (query.state.data !== undefined || !keys.some((key) => matchQuery(key, query))) continue
    const exactly = { queryKey: query.queryKey, exact: true }
    query.promise?.then(
      () => queryClient.invalidateQueries(exactly),
      // The screen shows the failure.
      () => undefined,
    )
  }
}

/** In milliseconds. One payment may cause two events for each of 100 invoices. */
const batchWindow = 100

/**
 * Refetches the visible queries that events make stale, and the others when they are next shown.
 * Events are applied in batches, so that a query is not refetched for each of them.
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
    invalidateOnceLoaded(queryClient, all)
    const predicate = (query: Query) => all.some((filters) => matchQuery(filters, query))
    void queryClient.invalidateQueries({ predicate })
  }

  return {
    add({ kind, data }: Event) {
      collected.push(...filtersOf(kind, data as never))
      // The window starts with the first event, so that a steady stream of events is applied too.
      timer ??= setTimeout(apply, batchWindow)
    },
    apply,
  }
}

/**
 * The queries that events make stale. They are refetched when the socket opens, because earlier
 * events were missed. Without the profile, which has just been loaded: the socket opens after it.
 */
export const liveQueriesFilter: QueryFilters = {
  predicate: ({ queryKey }) => (liveKeys as readonly unknown[]).includes(queryKey[0]),
}
