import type { Traffic } from '@slipway/contract/traffic'
import { formatBytes, formatNumber, formatResponseTime, getLocale, m } from '@slipway/phrases'
import { useState } from 'react'
import { pointName, pointTime } from './traffic-texts.ts'

type Point = Traffic['points'][number]

const height = 160

/** The next round number, so near that the bars fill most of the height. */
function roundUp(value: number) {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, value)))
  return ([1, 1.5, 2, 3, 4, 5, 6, 8, 10].find((factor) => factor * power >= value) ?? 10) * power
}

function Bar({ point, top, name }: { point: Point; top: number; name: string }) {
  const errors = point.clientErrors + point.serverErrors
  const inPixels = (count: number) =>
    count === 0 ? 0 : Math.max(1, Math.round((count / top) * height))
  const all = inPixels(point.requests)
  return (
    <div className="group relative flex min-w-0 flex-1 flex-col justify-end" style={{ height }}>
      <div
        className="flex flex-col justify-end overflow-hidden rounded-t-md bg-accent-fill group-hover:bg-accent-fill-hover"
        style={{ height: all }}
      >
        <div className="bg-danger-fill" style={{ height: Math.min(all, inPixels(errors)) }} />
      </div>
      <div className="pointer-events-none absolute bottom-full left-1/2 z-10 hidden -translate-x-1/2 rounded-md border border-line bg-raised px-2 py-1 whitespace-nowrap group-hover:block">
        {name}: {formatNumber(point.requests, getLocale())}
      </div>
    </div>
  )
}

const Legend = ({ color, text }: { color: string; text: string }) => (
  <li className="flex items-center gap-2">
    <span className={`size-2.5 rounded-full ${color}`} />
    {text}
  </li>
)

/** The requests of each hour or day as bars; a table has the same figures. */
export function TrafficChart({ traffic: { range, points } }: { traffic: Traffic }) {
  const [isTable, setIsTable] = useState(false)
  const locale = getLocale()
  const top = roundUp(Math.max(...points.map(({ requests }) => requests), 1))
  const middle = points[Math.floor(points.length / 2)]
  const labels = [points[0], middle, points.at(-1)].filter((point) => point !== undefined)
  return (
    <div className="grid gap-4">
      <div aria-hidden className="grid grid-cols-[auto_1fr] gap-x-3 text-xs text-muted">
        <div className="flex flex-col justify-between text-right tabular-nums" style={{ height }}>
          <span>{formatNumber(top, locale)}</span>
          <span>{formatNumber(0, locale)}</span>
        </div>
        <div className="flex items-end gap-0.5 border-b border-line">
          {points.map((point) => (
            <Bar key={point.time} point={point} top={top} name={pointName(range, point.time)} />
          ))}
        </div>
        <span />
        <div className="flex justify-between pt-1">
          {labels.map(({ time }) => (
            <span key={time}>{pointTime(range, time)}</span>
          ))}
        </div>
      </div>
      <ul aria-hidden className="flex flex-wrap gap-4 text-muted">
        <Legend color="bg-accent-fill" text={m.traffic_requests()} />
        <Legend color="bg-danger-fill" text={m.traffic_errors()} />
      </ul>
      <details className="grid gap-2" onToggle={(event) => setIsTable(event.currentTarget.open)}>
        <summary className="cursor-pointer text-muted hover:text-fg">
          {m.traffic_as_table()}
        </summary>
        {isTable && (
          <div className="mt-2 overflow-x-auto">
            <table className="w-full text-right tabular-nums">
              <caption className="sr-only">{m.traffic_title()}</caption>
              <thead className="text-muted">
                <tr className="border-b border-line">
                  <th scope="col" className="py-2 pr-3 text-left font-medium">
                    {m.traffic_time()}
                  </th>
                  {[
                    m.traffic_requests(),
                    m.traffic_visitors(),
                    m.traffic_transferred(),
                    m.traffic_errors(),
                    m.traffic_median(),
                    m.traffic_p95(),
                  ].map((name) => (
                    <th key={name} scope="col" className="px-3 py-2 font-medium whitespace-nowrap">
                      {name}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {points.toReversed().map((point) => (
                  <tr key={point.time} className="border-b border-line">
                    <th scope="row" className="py-2 pr-3 text-left font-normal whitespace-nowrap">
                      {pointName(range, point.time)}
                    </th>
                    {[
                      formatNumber(point.requests, locale),
                      formatNumber(point.visitors, locale),
                      formatBytes(point.bytes, locale),
                      formatNumber(point.clientErrors + point.serverErrors, locale),
                      point.median === null ? '–' : formatResponseTime(point.median, locale),
                      point.p95 === null ? '–' : formatResponseTime(point.p95, locale),
                    ].map((value, column) => (
                      // biome-ignore lint/suspicious/noArrayIndexKey: the columns are fixed
                      <td key={column} className="px-3 py-2 whitespace-nowrap">
                        {value}
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
      </details>
    </div>
  )
}
