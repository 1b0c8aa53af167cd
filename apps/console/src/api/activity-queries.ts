import {
  type Activity,
  type ActivityPage,
  listActivity,
  listProjectActivity,
  listTeamActivity,
} from '@slipway/contract/activity'
import type { ProjectId } from '@slipway/contract/projects'
import type { TeamId } from '@slipway/contract/teams'
import {
  type InfiniteData,
  infiniteQueryOptions,
  type QueryClient,
  type QueryKey,
} from '@tanstack/react-query'
import { call } from './client.ts'
import { requestQuery } from './request-query.ts'

type Cursor = string | undefined

const isNewer = (one: Activity, other: Activity | undefined) =>
  other === undefined || BigInt(one.position) > BigInt(other.position)

/**
 * Adds the entries of the stored page to the newest one. The result ends where the stored page
 * ends, so that the pages after it stay valid. Returns the newest page alone if entries between the
 * two are missing.
 */
export function mergeNewest(newest: ActivityPage, stored: ActivityPage | undefined): ActivityPage {
  const oldest = newest.items.at(-1)
  const isAdjacent = stored?.items.some(({ position }) => position === oldest?.position)
  if (!stored || !oldest || !isAdjacent) return newest
  const older = stored.items.filter((entry) => isNewer(oldest, entry))
  return { items: [...newest.items, ...older], before: stored.before }
}

/**
 * Fetches a page. Each change of a team or project causes a refetch, which requests only the newest
 * entries: the older ones show the names of the time when they were fetched.
 */
async function fetchPage(
  { client, queryKey, pageParam }: { client: QueryClient; queryKey: QueryKey; pageParam: Cursor },
  request: (before: Cursor) => Promise<ActivityPage>,
) {
  const stored = client.getQueryData<InfiniteData<ActivityPage, Cursor>>(queryKey)
  if (pageParam === undefined) return mergeNewest(await request(undefined), stored?.pages[0])
  const index = stored?.pageParams.indexOf(pageParam) ?? -1
  return stored?.pages[index] ?? request(pageParam)
}

const pages = {
  initialPageParam: undefined as Cursor,
  getNextPageParam: ({ before }: ActivityPage) => before,
}

export const projectActivityQuery = (id: ProjectId) =>
  infiniteQueryOptions({
    queryKey: ['activity', 'project', id],
    queryFn: (context) =>
      fetchPage(context, (before) =>
        call(listProjectActivity, { params: { id }, query: { before } }, context.signal),
      ),
    ...pages,
  })

export const teamActivityQuery = (id: TeamId) =>
  infiniteQueryOptions({
    queryKey: ['activity', 'team', id],
    queryFn: (context) =>
      fetchPage(context, (before) =>
        call(listTeamActivity, { params: { id }, query: { before, limit: 10 } }, context.signal),
      ),
    ...pages,
  })

/** The newest entries about all teams of the user and about their account. */
export const recentActivityQuery = requestQuery(['activity', 'all'], listActivity, {
  query: { limit: 12 },
})
