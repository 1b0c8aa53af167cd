import type { Team, TeamDetail, TeamId } from '@slipway/contract/teams'
import type { QueryClient } from '@tanstack/react-query'
import { invitationsQuery, projectsQuery, teamQuery, teamsQuery } from '../../api/queries.ts'

const askAgain = (queryClient: QueryClient, ...queryKeys: (readonly unknown[])[]) => {
  for (const queryKey of queryKeys) void queryClient.invalidateQueries({ queryKey })
}

/** Shows a team's new name at once, and asks for what has happened since. */
export function showRenamed(queryClient: QueryClient, { id, name }: Team) {
  const { queryKey } = teamQuery(id)
  queryClient.setQueryData(queryKey, (team) => team && { ...team, name })
  queryClient.setQueryData(teamsQuery.queryKey, (teams) =>
    teams?.map((team) => (team.id === id ? { ...team, name } : team)),
  )
  askAgain(queryClient, queryKey, teamsQuery.queryKey)
}

/** Shows a team's people as `change` leaves them at once, and asks for what has happened since. */
export function showPeople(
  queryClient: QueryClient,
  id: TeamId,
  change: (team: TeamDetail) => Pick<TeamDetail, 'users' | 'invited'>,
) {
  const { queryKey } = teamQuery(id)
  queryClient.setQueryData(queryKey, (team) => team && { ...team, ...change(team) })
  askAgain(queryClient, queryKey)
}

/** Takes a team that the user has left out of what is shown. */
export function forgetTeam(queryClient: QueryClient, id: TeamId) {
  queryClient.setQueryData(teamsQuery.queryKey, (teams) => teams?.filter((team) => team.id !== id))
  queryClient.setQueryData(projectsQuery.queryKey, (projects) =>
    projects?.filter(({ teamId }) => teamId !== id),
  )
  askAgain(queryClient, teamsQuery.queryKey, projectsQuery.queryKey)
}

/** Takes an answered invitation out of the list, and asks for what it has changed. Gives what still waits. */
export function showAnswered(queryClient: QueryClient, id: TeamId) {
  const { queryKey } = invitationsQuery
  const waiting = queryClient.getQueryData(queryKey)?.filter(({ teamId }) => teamId !== id) ?? []
  queryClient.setQueryData(queryKey, waiting)
  askAgain(queryClient, queryKey, teamsQuery.queryKey, projectsQuery.queryKey)
  return waiting
}
