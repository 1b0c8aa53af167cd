import { listEnvironment } from '@slipway/contract/environment'
import type { ProjectId } from '@slipway/contract/projects'
import { listSignInClients } from '@slipway/contract/sign-in-clients'
import { requestQuery } from '../../../api/request-query.ts'

// Not in `api/queries.ts`: every screen would load the schemas of their responses.

export const environmentQuery = (id: ProjectId) =>
  requestQuery(['environment', id], listEnvironment, { params: { id } })

/** The clients of the login provider with which a project's team signs in. */
export const signInClientsQuery = (id: ProjectId) =>
  requestQuery(['sign-in-clients', id], listSignInClients, { params: { id } })
