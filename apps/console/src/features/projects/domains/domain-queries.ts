import { isConnected } from '@slipway/contract/domain-status'
import { listDomains, type ProjectDomain } from '@slipway/contract/domains'
import { second } from '@slipway/contract/limits'
import type { Project, ProjectId } from '@slipway/contract/projects'
import { type QueryClient, useQuery } from '@tanstack/react-query'
import { projectQuery, projectsQuery } from '../../../api/queries.ts'
import { requestQuery } from '../../../api/request-query.ts'

/** Not in `api/queries.ts`: every screen would load the schema of its response. */
const domainsQuery = (id: ProjectId) =>
  requestQuery(['domains', id], listDomains, { params: { id } })

/** A check without a new result sends no event, but the page shows its time. */
const pollInterval = 5 * second

/** The domains of a project, the primary one first. */
export const useDomains = ({ id }: Project) =>
  useQuery({
    ...domainsQuery(id),
    refetchInterval: ({ state: { data } }) =>
      data !== undefined && !data.every(isConnected) && pollInterval,
  })

export const cacheDomains = (queryClient: QueryClient, { id }: Project, domains: ProjectDomain[]) =>
  queryClient.setQueryData(domainsQuery(id).queryKey, domains)

/** Refetches the domains after a change, and the project, which shows its primary domain. */
export async function refetchDomains(queryClient: QueryClient, { id, key }: Project) {
  void queryClient.invalidateQueries({ queryKey: projectQuery(key).queryKey })
  void queryClient.invalidateQueries({ queryKey: projectsQuery.queryKey })
  await queryClient.invalidateQueries({ queryKey: domainsQuery(id).queryKey })
}
