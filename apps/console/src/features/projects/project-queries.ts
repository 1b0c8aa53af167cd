import { minute, second } from '@slipway/contract/limits'
import type { Project, ProjectDetail, ProjectKey } from '@slipway/contract/projects'
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useConnectionState } from '../../api/live-updates.ts'
import { projectQuery, projectsQuery } from '../../api/queries.ts'
import { projectStates } from './project-states.ts'

/** How often a project on its way is asked after where live updates cannot get through. */
const withoutLiveUpdates = 5 * second

/** A check that finds nothing new is not announced, and yet the page says when it was. */
const dnsChecked = minute

const isWaitingForDns = ({ dns }: ProjectDetail) => dns !== null && dns.verdict !== 'correct'

function useRefetchInterval() {
  const live = useConnectionState() === 'connected'
  return (projects: readonly Project[]) =>
    !live && projects.some(({ state }) => projectStates[state].passing) ? withoutLiveUpdates : false
}

/** The projects of the user's teams, kept fresh. */
export function useProjects() {
  const interval = useRefetchInterval()
  return useQuery({
    ...projectsQuery,
    refetchInterval: ({ state }) => interval(state.data ?? []),
  })
}

/** A project, kept fresh. What the list knows of it shows first, as placeholder data. */
export function useProject(key: ProjectKey) {
  const queryClient = useQueryClient()
  const interval = useRefetchInterval()
  return useQuery({
    ...projectQuery(key),
    refetchInterval: ({ state: { data } }) =>
      interval(data ? [data] : []) || (data && isWaitingForDns(data) && dnsChecked),
    placeholderData: (): ProjectDetail | undefined => {
      const listed = queryClient
        .getQueryData(projectsQuery.queryKey)
        ?.find((project) => project.key === key)
      return listed && { ...listed, metadata: [], progress: null, dns: null }
    },
  })
}

/** An event may have brought something newer while the call was answered. */
const newer = <Held extends Project>(held: Held, answered: Project): Held =>
  answered.updatedAt < held.updatedAt ? held : { ...held, ...answered }

/** The list with an answered project in it; a new one comes first. */
export const withProject = (projects: readonly Project[], answered: Project): Project[] =>
  projects.some(({ id }) => id === answered.id)
    ? projects.map((held) => (held.id === answered.id ? newer(held, answered) : held))
    : [answered, ...projects]

/** Shows what a call answered at once, and asks for what has happened since. */
export function showAnswered(queryClient: QueryClient, answered: Project) {
  queryClient.setQueryData(
    projectsQuery.queryKey,
    (projects) => projects && withProject(projects, answered),
  )
  queryClient.setQueryData(
    projectQuery(answered.key).queryKey,
    (project) => project && newer(project, answered),
  )
  void queryClient.invalidateQueries({ queryKey: projectsQuery.queryKey })
  void queryClient.invalidateQueries({ queryKey: projectQuery(answered.key).queryKey })
}
