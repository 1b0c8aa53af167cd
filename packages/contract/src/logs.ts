import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { orEventStream } from './event-stream.ts'
import { idInput } from './id.ts'

/** The kind of a log: the output of the site, or the requests that it got. */
export const logSources = ['site', 'requests'] as const
export type LogSource = (typeof logSources)[number]

/** A request as it is logged: without the visitor's address and the query of the URL. */
export const loggedRequest = z.object({
  method: z.string(),
  host: z.string(),
  path: z.string(),
  status: z.int(),
  /** Bytes sent, headers included. */
  bytes: z.int(),
  /** Milliseconds from the request to the end of the response. */
  duration: z.int(),
  /** The host of the page with the link; null without one. */
  referrer: z.nullable(z.string()),
  /** The User-Agent header, shortened; null without one. */
  agent: z.nullable(z.string()),
})
export type LoggedRequest = z.output<typeof loggedRequest>

export const logEntry = z.object({
  /** The position of the line. Positions of newer lines sort later alphabetically. */
  position: z.string(),
  time: z.iso.datetime(),
  /** A line of the site's output; null for other entries. */
  text: z.nullable(z.string()),
  /** A request; null for other entries. */
  request: z.nullable(loggedRequest),
  /** How many lines were dropped here because the log of the hour was full; null otherwise. */
  dropped: z.nullable(z.int()),
})
export type LogEntry = z.output<typeof logEntry>

/** The hour in UTC and the offset in its file. */
export const logPosition = /^\d{10}-\d{12}$/

export const viewProjectLogs = endpoint('GET /management/project/logs/:id', {
  summary: 'Read the logs of a project of the last seven days, by page or live',
  access: 'project',
  params: { id: idInput<'Project'>() },
  query: z.object({
    source: z._default(z.enum(logSources), 'site'),
    /** Lines before this position; the newest ones without it. */
    before: z.optional(z.string().check(z.regex(logPosition))),
    limit: z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(1000)), 100),
  }),
  response: orEventStream(
    z.object({
      /** The oldest of the page first. A page of long lines may have fewer than `limit`. */
      items: z.array(logEntry),
      /** `before` of the page of older entries; null on the oldest page. */
      before: z.nullable(z.string()),
    }),
    logEntry,
  ),
  errors: ['project_not_found', 'too_many_streams'],
})
