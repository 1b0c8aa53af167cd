import type { Endpoint } from '@slipway/contract/endpoint'
import { title } from '../../../apps/server/src/testing/declared-endpoints.ts'
import { type Figures, successesOf } from '../figures.ts'
import { Finding } from '../finding.ts'

/** In a shorter run an endpoint may have no success by chance. */
const enoughRequests = 50_000

/** A finding for each endpoint without a success: an input that is never accepted tests little. */
export function checkCoverage(figures: Figures, endpoints: readonly Endpoint[]): Finding[] {
  if (figures.requests < enoughRequests) return []
  const counted = new Map(successesOf(figures).map((each) => [each.endpoint, each]))
  return endpoints
    .filter((endpoint) => !counted.get(endpoint)?.succeeded)
    .map((endpoint) => {
      const outcomes = [...(counted.get(endpoint)?.counts ?? [])]
      const text = outcomes.map(([outcome, count]) => `${outcome}: ${count}`).join(', ')
      return new Finding('never successful', title(endpoint), text || 'never called')
    })
}
