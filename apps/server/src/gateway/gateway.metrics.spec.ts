import { register } from 'prom-client'
import { describe, expect, it } from 'vitest'
import { recordResponse } from './gateway.metrics.ts'

/**
 * The number of responses with a status of this class, such as `2xx`. It includes those of other
 * specs in this process.
 */
async function countOf(statusClass: string) {
  const metric = await register.getSingleMetric('slipway_gateway_request_duration_seconds')?.get()
  const count = metric?.values.find(
    ({ metricName, labels }: { metricName?: string; labels: { status?: string | number } }) =>
      metricName?.endsWith('_count') && labels.status === statusClass,
  )
  return count?.value ?? 0
}

describe('the histogram of request durations', () => {
  it.each([200, 503, 600, 999])(
    'counts a response with status %d in the class of its first digit',
    async (statusCode) => {
      const statusClass = `${String(statusCode)[0]}xx`
      const before = await countOf(statusClass)
      recordResponse({ statusCode }, 5)
      expect(await countOf(statusClass)).toBe(before + 1)
    },
  )
})
