import type { LogEntry } from '@slipway/contract/logs'
import { formatBytes, formatNumber, formatResponseTime, getLocale, m } from '@slipway/phrases'

/** The status classes that the log of requests can be filtered by. */
export const statusFilters = ['all', '2', '3', '4', '5'] as const
export type StatusFilter = (typeof statusFilters)[number]

export const statusText = (filter: StatusFilter) =>
  filter === 'all' ? m.logs_status_all() : `${filter}xx`

/** Shown in place of dropped lines. */
export const droppedText = (count: number) =>
  m.logs_dropped({ count, lines: formatNumber(count, getLocale()) })

export const requestSize = (bytes: number) => formatBytes(bytes, getLocale(), true)
export const requestTime = (ms: number) => formatResponseTime(ms, getLocale())

/** A line as it is copied. */
export function lineText({ time, text, request, dropped }: LogEntry): string {
  if (request) {
    const { method, host, path, status, bytes, duration, referrer, agent } = request
    return [time, method, `${host}${path}`, status, bytes, `${duration} ms`, referrer, agent]
      .filter((part) => part !== null)
      .join(' ')
  }
  return `${time} ${text ?? droppedText(dropped ?? 0)}`
}

/** The text that the filter searches, in lower case. */
const searchedText = ({ text, request }: LogEntry) =>
  (request
    ? `${request.method} ${request.host}${request.path} ${request.status} ${request.referrer ?? ''} ${request.agent ?? ''}`
    : (text ?? '')
  ).toLocaleLowerCase('en')

/** The lines with this text and status. Dropped lines are always shown: some may have matched. */
export const filterEntries = (
  entries: readonly LogEntry[],
  search: string,
  status: StatusFilter,
): readonly LogEntry[] => {
  const searched = search.trim().toLocaleLowerCase('en')
  if (searched === '' && status === 'all') return entries
  return entries.filter(
    (entry) =>
      entry.dropped !== null ||
      ((status === 'all' || String(entry.request?.status).startsWith(status)) &&
        searchedText(entry).includes(searched)),
  )
}
