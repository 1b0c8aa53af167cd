import { setTimeout as sleep } from 'node:timers/promises'
import { ApiError, requestPath } from '@slipway/contract/client'
import type { ErrorBody } from '@slipway/contract/errors'
import { eventStreamType } from '@slipway/contract/event-stream'
import { second } from '@slipway/contract/limits'
import { type LogEntry, type LogSource, logSources, viewProjectLogs } from '@slipway/contract/logs'
import { formatNumber, type Locale, m } from '@slipway/phrases'
import { withRetries } from '@slipway/terminal/service'
import { oneLine } from '@slipway/terminal/text'
import { type Arguments, UsageError, wantsJson } from './arguments.ts'
import { type CommandContext, type CommandResult, client, findProject, send } from './context.ts'

const defaultLimit = 100
const reconnectDelay = second

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
  if (options.follow) return follow(context, project.id, query)
  const { items } = await withRetries(() =>
    client(context)(viewProjectLogs, { params: { id: project.id }, query }),
  )
  return { json: items, lines: items.map((entry) => lineOf(entry, context)) }
}

/** An entry as a line: its time, and what the site printed or a request. */
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
 * Prints new lines until Ctrl-C. A lost connection continues after the last line that was printed.
 */
async function follow(
  context: CommandContext,
  id: string,
  query: { source: LogSource; limit: number },
): Promise<CommandResult> {
  const { url, token, locale, signal } = context
  const path = requestPath(viewProjectLogs, { params: { id }, query })
  let lastId: string | undefined
  for (;;) {
    try {
      const response = await send(`${url}/api${path}`, {
        headers: {
          Accept: eventStreamType,
          'Accept-Language': locale,
          Authorization: `Bearer ${token}`,
          ...(lastId === undefined ? {} : { 'Last-Event-ID': lastId }),
        },
        signal,
      })
      if (!response.ok) throw await problemOf(response)
      for await (const { id: position, data } of eventsOf(response)) {
        lastId = position
        const entry = JSON.parse(data) as LogEntry
        // One document for each line, because the output has no end.
        const line = wantsJson(process.argv) ? JSON.stringify(entry) : lineOf(entry, context)
        process.stdout.write(`${line}\n`)
      }
    } catch (error) {
      if (signal.aborted || (error instanceof ApiError && error.status < 500)) throw error
    }
    // The server restarts, or the connection broke. A token that was revoked is rejected above.
    await sleep(reconnectDelay, undefined, { signal })
  }
}

async function problemOf(response: Response): Promise<Error> {
  const body = (await response.json().catch(() => undefined)) as ErrorBody | undefined
  return body?.error ? new ApiError(response.status, body) : new Error(response.statusText)
}

/** The events of a stream (HTML Standard §9.2.6) that have an id. */
async function* eventsOf({ body }: Response): AsyncGenerator<{ id: string; data: string }> {
  let text = ''
  const decoder = new TextDecoder()
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    text += decoder.decode(chunk, { stream: true })
    const blocks = text.split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) {
      const fields = new Map(
        block.split('\n').map((line): [string, string] => {
          const colon = line.indexOf(': ')
          return [line.slice(0, colon), line.slice(colon + 2)]
        }),
      )
      const [id, data] = [fields.get('id'), fields.get('data')]
      if (id !== undefined && data !== undefined) yield { id, data }
    }
  }
}
