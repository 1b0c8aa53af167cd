import { second } from '@slipway/contract/limits'
import type { ProjectId } from '@slipway/contract/projects'
import { listSiteBackups } from '@slipway/contract/site-backups'
import { useQuery } from '@tanstack/react-query'
import { useConnectionState } from '../../../api/live-updates.ts'
import { requestQuery } from '../../../api/request-query.ts'

/**
 * The newest backups of a project: all that the server stores. Not in `api/queries.ts`: every
 * screen would load the schema of its response.
 */
export const backupsQuery = (id: ProjectId) =>
  requestQuery(['backups', id], listSiteBackups, { params: { id }, query: { perPage: 100 } })

/** How often to refetch a backup or a restore in progress, without live updates. */
const pollInterval = 2 * second

export function useBackups(projectId: ProjectId) {
  const live = useConnectionState() === 'connected'
  return useQuery({
    ...backupsQuery(projectId),
    refetchInterval: ({ state: { data } }) =>
      !live &&
      data !== undefined &&
      (data.restore?.step != null || data.items.some(({ state }) => state === 'creating'))
        ? pollInterval
        : false,
  })
}
