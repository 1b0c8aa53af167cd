import { listRegistries } from '@slipway/contract/registries'
import type { TeamId } from '@slipway/contract/teams'
import { type UseQueryResult, useQueries, useQuery } from '@tanstack/react-query'
import { runtimesQuery } from '../../api/queries.ts'
import { requestQuery } from '../../api/request-query.ts'
import { useRegions } from '../../shell/session/account-context.ts'

// Not in `api/queries.ts`: every screen would load the schemas of their responses.

export const registriesQuery = (id: TeamId) =>
  requestQuery(['registries', id], listRegistries, { params: { id } })

// What fails to load does not delay the rest of the page.
const isFirstAttempt = (query: Pick<UseQueryResult, 'isLoading' | 'failureCount'>) =>
  query.isLoading && query.failureCount === 0

const useRunsImages = () =>
  useQueries({
    queries: useRegions().map(({ id }) => runtimesQuery(id)),
    combine: (results) => ({
      isLoading: results.some(isFirstAttempt),
      runsImages: results.some(({ data }) =>
        data?.some(({ id, available }) => id === 'image' && available),
      ),
    }),
  })

/**
 * The registries of a team, and whether its page shows them: if a region runs images, or the team
 * has credentials.
 */
export function useRegistries(id: TeamId) {
  const query = useQuery(registriesQuery(id))
  const { data: registries } = query
  const images = useRunsImages()
  return {
    registries,
    isShown: registries !== undefined && (registries.length > 0 || images.runsImages),
    isLoading: isFirstAttempt(query) || images.isLoading,
  }
}
