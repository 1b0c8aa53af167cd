import { second } from '@slipway/contract/limits'
import type { ProjectId } from '@slipway/contract/projects'
import { listReleases, viewRelease } from '@slipway/contract/releases'
import { useQuery } from '@tanstack/react-query'
import { useConnectionState } from '../../../api/live-updates.ts'
import { requestQuery } from '../../../api/request-query.ts'

// Not in `api/queries.ts`: every screen would load the schemas of their responses.

/** The newest releases of a project: all that the server stores. */
export const releasesQuery = (id: ProjectId) =>
  requestQuery(['releases', id, 'all'], listReleases, { params: { id }, query: { perPage: 100 } })

export const releaseQuery = (id: ProjectId, number: number) =>
  requestQuery(['releases', id, 'view', number], viewRelease, {
    params: { id, number: String(number) },
  })

/** How often to refetch releases that are checked, without live updates. */
const pollInterval = 2 * second

export function useReleases(projectId: ProjectId) {
  const live = useConnectionState() === 'connected'
  return useQuery({
    ...releasesQuery(projectId),
    refetchInterval: ({ state: { data } }) =>
      !live && data?.items.some(({ state }) => state === 'checking') ? pollInterval : false,
  })
}
