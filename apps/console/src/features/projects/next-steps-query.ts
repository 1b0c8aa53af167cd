import { viewNextSteps } from '@slipway/contract/next-steps'
import type { ProjectId } from '@slipway/contract/projects'
import { requestQuery } from '../../api/request-query.ts'

/** Which of the first steps of a project are done. */
export const nextStepsQuery = (id: ProjectId) =>
  requestQuery(['next-steps', id], viewNextSteps, { params: { id } })
