import { viewNextSteps } from '@slipway/contract/next-steps'
import type { ProjectId } from '@slipway/contract/projects'
import { requestQuery } from '../../api/request-query.ts'

export const nextStepsQuery = (id: ProjectId) =>
  requestQuery(['next-steps', id], viewNextSteps, { params: { id } })
