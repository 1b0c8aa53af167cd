import { listRegistries } from '@slipway/contract/registries'
import type { TeamId } from '@slipway/contract/teams'
import { requestQuery } from '../../api/request-query.ts'

// Not in `api/queries.ts`: every screen would load the schemas of their responses.

/** The registries whose credentials a team has. */
export const registriesQuery = (id: TeamId) =>
  requestQuery(['registries', id], listRegistries, { params: { id } })
