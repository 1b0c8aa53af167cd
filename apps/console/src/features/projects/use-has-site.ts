import { second } from '@slipway/contract/limits'
import { type Project, shownState } from '@slipway/contract/projects'
import { useQuery } from '@tanstack/react-query'
import { useConnectionState } from '../../api/live-updates.ts'
import { signsIn } from './access/access-url.ts'
import { nextStepsQuery } from './next-steps-query.ts'
import { projectStates } from './project-states.ts'

/** How often to refetch without live updates, until there is a site. */
const pollInterval = 5 * second

/** True if the project may have no release yet; a picture shows that it had one. */
const mayBeEmpty = (project: Project) =>
  project.picture === null &&
  !signsIn(project) &&
  projectStates[project.state].isEditable &&
  shownState(project) !== 'failed_creating'

/** False until the first release of the project is live; undefined while that is loaded. */
export function useHasSite(project: Project): boolean | undefined {
  const live = useConnectionState() === 'connected'
  const enabled = mayBeEmpty(project)
  const { data, failureCount } = useQuery({
    ...nextStepsQuery(project.id),
    enabled,
    refetchInterval: ({ state }) => (live || state.data?.content ? false : pollInterval),
  })
  if (!enabled || (!data && failureCount > 0)) return true
  return data?.content
}
