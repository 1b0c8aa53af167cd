import { register } from 'prom-client'
import { describe, expect, it } from 'vitest'
import { recordResponse } from './gateway.metrics.ts'

/** The number of responses with this status, those of other specs in this process included. */
async function recorded(status: string) {
  const metric = await register.getSingleMetric('slipway_gateway_request_duration_seconds')?.get()
  const count = metric?.values.find(
    ({ metricName, labels }: { metricName?: string; labels: { status?: string | number } }) =>
      metricName?.endsWith('_count') && labels.status === status,
  )
  return count?.value ?? 0
}

describe('the duration of requests to sites', () => {
  it.each([200, 503, 600, 999])('has a response with status %d', async (statusCode) => {
    const status = `${String(statusCode)[0]}xx`
    const before = await recorded(status)
    recordResponse({ statusCode }, 5)
    expect(await recorded(status)).toBe(before + 1)
  })
})
