import type { ServerResponse } from 'node:http'
import { Histogram } from 'prom-client'

const duration = new Histogram({
  name: 'slipway_gateway_request_duration_seconds',
  help: 'Duration of the requests to sites, until the end of the response, by status.',
  labelNames: ['status'],
  buckets: [0.005, 0.025, 0.1, 0.25, 1, 2.5, 10, 30],
})

// By the first digit of a status, which is never 0. Looked up once, not for each request.
const byFirstDigit = Array.from({ length: 10 }, (_, digit) =>
  duration.labels({ status: `${digit}xx` }),
)

export const recordResponse = ({ statusCode }: Pick<ServerResponse, 'statusCode'>, ms: number) =>
  byFirstDigit[Math.floor(statusCode / 100)]?.observe(ms / 1000)
