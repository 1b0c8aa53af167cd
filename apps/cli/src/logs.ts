import { setTimeout as sleep } from 'node:timers/promises'
import { streamEvents } from '@slipway/contract/event-stream-client'
import { second } from '@slipway/contract/limits'
import { type LogEntry, type LogSource, logSources, viewProjectLogs } from '@slipway/contract/logs'
import type { Project } from '@slipway/contract/projects'
import { formatNumber, type Locale, m } from '@slipway/phrases'
import { apiErrorText, isApiError } from '@slipway/terminal/command-error'
import { isTemporary, requestError, withRetries } from '@slipway/terminal/service'
import { oneLine } from '@slipway/terminal/text'
import { type Arguments, UsageError } from './arguments.ts'
import { type CommandContext, type CommandResult, client, findProject, send } from './context.ts'

const defaultLimit = 100
const reconnectDelay = second

const noneTexts: Record<LogSource, (locale: Locale) => string> = {
  site: (locale) => m.logs_none({}, { locale }),
  requests: (locale) => m.logs_no_requests({}, { locale }),
}

type Options = Pick<Arguments, 'project' | 'source' | 'limit' | 'follow' | 'json'>

/**
 * Prints the newest lines of a site's log, or of its requests, and with `--follow` each new one.
 */
export async function showLogs(context: CommandContext, options: Options): Promise<CommandResult> {
  const { locale } = context
  const { source = 'site', limit = String(defaultLimit) } = options
  if (!logSources.some((each) => each === source))
    throw new UsageError(m.cli_source_wrong({ sources: logSources.join(', ') }, { locale }))
  if (!/^([1-9]\d{0,2}|1000)$/.test(limit)) throw new UsageError(m.cli_limit_wrong({}, { locale }))
  const project = await findProject(context, options.project)
  const query = { source: source as LogSource, limit: Number(limit) }
  if (options.follow) return follow(context, project.id, query, options.json)
  const { items } = await withRetries(() =>
    client(context)(viewProjectLogs, { params: { id: project.id }, query }),
  )
  // Standard output has only lines of the log.
  if (items.length === 0) context.printStatus(noneTexts[query.source](locale))
  return { json: items, lines: items.map((entry) => lineOf(entry, context)) }
}

/** An entry as a line: its time, and the site's output or a request. */
function lineOf({ time, text, request, dropped }: LogEntry, { locale }: CommandContext): string {
  if (request) {
    const { method, host, path, status, duration } = request
    return oneLine(`${time} ${status} ${method} ${host}${path} ${duration} ms`)
  }
  if (dropped !== null) return `${time} ${droppedText(dropped, locale)}`
  return `${time} ${oneLine(text ?? '')}`
}

const droppedText = (count: number, locale: Locale) =>
  m.cli_lines_dropped({ count, lines: formatNumber(count, locale) }, { locale })

/**
 * Prints new lines until Ctrl-C. After a lost connection, continues after the last printed line.
 */
async function follow(
  context: CommandContext,
  id: Project['id'],
  query: { source: LogSource; limit: number },
  json: boolean,
): Promise<CommandResult> {
  const { url, token, locale, signal, printStatus } = context
  const options = { base: `${url}/api`, token: () => token, locale: () => locale, fetch: send }
  let lastEventId: string | undefined
  let isRetrying = false
  for (;;) {
    try {
      const request = { params: { id }, query, lastEventId }
      for await (const events of streamEvents(options, viewProjectLogs, request, signal)) {
        isRetrying = false
        for (const { id: position, data } of events) {
          lastEventId = position
          const entry = data as LogEntry
          // One document for each line, because the output has no end.
          const line = json ? JSON.stringify(entry) : lineOf(entry, context)
          process.stdout.write(`${line}\n`)
        }
      }
    } catch (cause) {
      const error = requestError(cause, url, locale)
      if (signal.aborted || !isTemporary(error)) throw error
      if (!isRetrying) printStatus(retryText(error, locale))
      isRetrying = true
    }
    // The server restarts, or the connection broke. A token that was revoked is rejected above.
    await sleep(reconnectDelay, undefined, { signal })
  }
}

/** With too many open streams, the user has to close one. */
const retryText = (error: unknown, locale: Locale) =>
  isApiError(error, 'too_many_streams')
    ? apiErrorText(error, locale)
    : m.cli_retrying({}, { locale })
