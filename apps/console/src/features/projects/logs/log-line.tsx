import type { LogEntry, LoggedRequest } from '@slipway/contract/logs'
import { formatDate, getLocale, m } from '@slipway/phrases'
import { memo } from 'react'
import { classNames } from '../../../ui/class-names.ts'
import { droppedText, requestSize, requestTime } from './log-texts.ts'

const statusColors: Record<string, string> = {
  '4': 'text-warning',
  '5': 'text-danger',
}

const Origin = ({ label, text }: { label: string; text: string | null }) => (
  <span className="w-36 truncate text-muted max-lg:hidden" title={`${label}: ${text ?? '–'}`}>
    {text ?? '–'}
  </span>
)

const Request = ({ request }: { request: LoggedRequest }) => {
  const { method, host, path, status, bytes, duration, referrer, agent } = request
  return (
    // Cells of the line. On a phone they are two lines: method, path, status; time, duration.
    <span className="contents">
      <span
        className={classNames(
          'font-medium max-sm:order-3 sm:w-9',
          statusColors[String(status)[0] ?? ''],
        )}
      >
        {status}
      </span>
      <span className="max-sm:order-1 sm:w-11">{method}</span>
      <span className="min-w-0 flex-1 truncate max-sm:order-2" title={host + path}>
        {path}
      </span>
      <span className="text-right text-muted tabular-nums max-sm:order-last sm:w-16">
        {requestTime(duration)}
      </span>
      <span className="w-16 text-right text-muted tabular-nums max-sm:hidden">
        {requestSize(bytes)}
      </span>
      <Origin label={m.logs_referrer()} text={referrer} />
      <Origin label={m.logs_agent()} text={agent} />
    </span>
  )
}

/** One line of a log. Not rendered again while others arrive. */
export const LogLine = memo(({ entry }: { entry: LogEntry }) => {
  const { time, text, request, dropped } = entry
  const locale = getLocale()
  return (
    <div
      className={classNames(
        'flex gap-x-3 px-3 py-0.5 font-mono text-xs hover:bg-hover',
        request && 'max-sm:grid max-sm:grid-cols-[auto_minmax(0,1fr)_auto] max-sm:py-1',
      )}
    >
      <time
        dateTime={time}
        title={formatDate(time, locale, 'exactTime')}
        className={classNames(
          'w-20 shrink-0 whitespace-nowrap text-muted tabular-nums',
          request && 'max-sm:order-4 max-sm:col-span-2',
        )}
      >
        {formatDate(time, locale, 'clock')}
      </time>
      {request ? (
        <Request request={request} />
      ) : (
        <span
          className={classNames(
            'min-w-0 whitespace-pre-wrap wrap-anywhere',
            dropped !== null && 'text-warning',
          )}
        >
          {text ?? droppedText(dropped ?? 0)}
        </span>
      )}
    </div>
  )
})
