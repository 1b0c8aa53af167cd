import { second } from '@slipway/contract/limits'
import type { ProjectId } from '@slipway/contract/projects'
import { useQuery } from '@tanstack/react-query'
import { useConnectionState } from '../../../api/live-updates.ts'
import { releasesQuery } from '../../../api/queries.ts'

/** How often to refetch releases that are checked, without live updates. */
const pollInterval = 2 * second

/** The newest releases of a project. */
export function useReleases(projectId: ProjectId) {
  const live = useConnectionState() === 'connected'
  return useQuery({
    ...releasesQuery(projectId),
    refetchInterval: ({ state: { data } }) =>
      !live && data?.items.some(({ state }) => state === 'checking') ? pollInterval : false,
  })
}
