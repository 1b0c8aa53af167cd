import { register } from 'prom-client'
import { describe, expect, it } from 'vitest'
import { recordResponse } from './gateway.metrics.ts'

describe('the duration of requests to sites', () => {
  it.each([200, 503, 600, 999])('has a response with status %d', async (statusCode) => {
    recordResponse({ statusCode }, 5)
    const label = `status="${String(statusCode)[0]}xx"`
    expect(await register.metrics()).toMatch(
      new RegExp(`slipway_gateway_request_duration_seconds_count\\{.*${label}.*\\} 1`),
    )
  })
})
