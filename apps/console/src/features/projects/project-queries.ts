import { second } from '@slipway/contract/limits'
import {
  type Project,
  type ProjectDetail,
  type ProjectKey,
  shownState,
} from '@slipway/contract/projects'
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useConnectionState } from '../../api/live-updates.ts'
import { projectQuery, projectsQuery } from '../../api/queries.ts'
import { isEmpty, projectStates } from './project-states.ts'

/** How often to refetch projects that change by themselves, without live updates. */
const pollInterval = 5 * second

/** True for a project that changes by itself: its state is transient, or a release may go live. */
const isWaiting = (project: Project) =>
  projectStates[shownState(project)].isTransient || isEmpty(project)

function useRefetchInterval() {
  const live = useConnectionState() === 'connected'
  return (projects: readonly Project[]) =>
    !live && projects.some(isWaiting) ? pollInterval : false
}

export function useProjects() {
  const interval = useRefetchInterval()
  return useQuery({
    ...projectsQuery,
    refetchInterval: ({ state }) => interval(state.data ?? []),
  })
}

/** A project; shows the list's data as placeholder until it is loaded. */
export function useProject(key: ProjectKey) {
  const queryClient = useQueryClient()
  const interval = useRefetchInterval()
  return useQuery({
    ...projectQuery(key),
    refetchInterval: ({ state: { data } }) => interval(data ? [data] : []),
    placeholderData: (): ProjectDetail | undefined => {
      const listed = queryClient
        .getQueryData(projectsQuery.queryKey)
        ?.find((project) => project.key === key)
      return (
        listed && {
          ...listed,
          metadata: [],
          progress: null,
          crashes: 0,
          lastOutput: [],
          isRestoring: false,
          move: null,
        }
      )
    },
  })
}

/** An event may have brought a newer version before the response. */
const mergeIfNewer = <Cached extends Project>(cached: Cached, updated: Project): Cached =>
  updated.updatedAt < cached.updatedAt ? cached : { ...cached, ...updated }

/** Inserts or replaces a project in the list; a new one comes first. */
export const withProject = (projects: readonly Project[], updated: Project): Project[] =>
  projects.some(({ id }) => id === updated.id)
    ? projects.map((cached) => (cached.id === updated.id ? mergeIfNewer(cached, updated) : cached))
    : [updated, ...projects]

/** Stores a project from a response and refetches it. */
export function cacheProject(queryClient: QueryClient, updated: Project) {
  queryClient.setQueryData(
    projectsQuery.queryKey,
    (projects) => projects && withProject(projects, updated),
  )
  queryClient.setQueryData(
    projectQuery(updated.key).queryKey,
    (project) => project && mergeIfNewer(project, updated),
  )
  void queryClient.invalidateQueries({ queryKey: projectsQuery.queryKey })
  void queryClient.invalidateQueries({ queryKey: projectQuery(updated.key).queryKey })
}

/**
 * True until the first response or error. A retry after an error is no first load, so that
 * "not found" stays shown.
 */
export const isFirstLoad = (query: { isPending: boolean; errorUpdateCount: number }) =>
  query.isPending && query.errorUpdateCount === 0
