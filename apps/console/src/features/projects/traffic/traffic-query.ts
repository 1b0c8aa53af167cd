import type { ProjectId } from '@slipway/contract/projects'
import { type TrafficRange, viewTraffic } from '@slipway/contract/traffic'
import { requestQuery } from '../../../api/request-query.ts'

/** The traffic of a project; no event reports a change. */
export const trafficQuery = (id: ProjectId, range: TrafficRange) =>
  requestQuery(['traffic', id, range], viewTraffic, { params: { id }, query: { range } })
