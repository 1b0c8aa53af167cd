import type { Team, TeamDetail, TeamId } from '@slipway/contract/teams'
import type { QueryClient } from '@tanstack/react-query'
import { invitationsQuery, projectsQuery, teamQuery, teamsQuery } from '../../api/queries.ts'

const invalidate = (queryClient: QueryClient, ...queryKeys: (readonly unknown[])[]) => {
  for (const queryKey of queryKeys) void queryClient.invalidateQueries({ queryKey })
}

export function cacheTeamName(queryClient: QueryClient, { id, name }: Team) {
  const { queryKey } = teamQuery(id)
  queryClient.setQueryData(queryKey, (team) => team && { ...team, name })
  queryClient.setQueryData(teamsQuery.queryKey, (teams) =>
    teams?.map((team) => (team.id === id ? { ...team, name } : team)),
  )
  invalidate(queryClient, queryKey, teamsQuery.queryKey)
}

/** Stores the members and invitations that `change` returns and refetches them. */
export function cacheMembers(
  queryClient: QueryClient,
  id: TeamId,
  change: (team: TeamDetail) => Pick<TeamDetail, 'users' | 'invited'>,
) {
  const { queryKey } = teamQuery(id)
  queryClient.setQueryData(queryKey, (team) => team && { ...team, ...change(team) })
  invalidate(queryClient, queryKey)
}

export function uncacheTeam(queryClient: QueryClient, id: TeamId) {
  queryClient.setQueryData(teamsQuery.queryKey, (teams) => teams?.filter((team) => team.id !== id))
  queryClient.setQueryData(projectsQuery.queryKey, (projects) =>
    projects?.filter(({ teamId }) => teamId !== id),
  )
  invalidate(queryClient, teamsQuery.queryKey, projectsQuery.queryKey)
}

/**
 * Removes an invitation from the list and refetches dependent data. Returns the remaining
 * invitations.
 */
export function uncacheInvitation(queryClient: QueryClient, id: TeamId) {
  const { queryKey } = invitationsQuery
  const waiting = queryClient.getQueryData(queryKey)?.filter(({ teamId }) => teamId !== id) ?? []
  queryClient.setQueryData(queryKey, waiting)
  invalidate(queryClient, queryKey, teamsQuery.queryKey, projectsQuery.queryKey)
  return waiting
}
