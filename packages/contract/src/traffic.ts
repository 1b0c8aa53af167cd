import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { idInput } from './id.ts'

/** The last 24 hours, 7 days or 30 days. Days are in UTC. */
export const trafficRanges = ['day', 'week', 'month'] as const
export type TrafficRange = (typeof trafficRanges)[number]

export const trafficFigures = z.object({
  requests: z.int(),
  /** Bytes sent to visitors, headers included. */
  bytes: z.int(),
  /** Estimated count of distinct browsers (±2 %); each counts again on each day. */
  visitors: z.int(),
  /** Count of responses with status 4xx. */
  clientErrors: z.int(),
  /** Count of responses with status 5xx. */
  serverErrors: z.int(),
  /** The median response time in milliseconds; null without requests. */
  median: z.nullable(z.number()),
  /** The 95th percentile of the response times in milliseconds; null without requests. */
  p95: z.nullable(z.number()),
})
export type TrafficFigures = z.output<typeof trafficFigures>

export const traffic = z.object({
  range: z.enum(trafficRanges),
  total: trafficFigures,
  /** For each hour of a day, or each day of a week or month: the oldest first, none missing. */
  points: z.array(z.extend(trafficFigures, { time: z.iso.datetime() })),
})
export type Traffic = z.output<typeof traffic>

export const viewTraffic = endpoint('GET /management/project/traffic/:id', {
  summary: 'Get the requests, visitors and response times of a project',
  access: 'project',
  params: { id: idInput<'Project'>() },
  query: z.object({ range: z._default(z.enum(trafficRanges), 'day') }),
  response: traffic,
  errors: ['project_not_found'],
})
