import type { Traffic } from '@slipway/contract/traffic'
import { formatBytes, formatNumber, formatResponseTime, getLocale, m } from '@slipway/phrases'
import { Disclosure } from '../../../ui/disclosure.tsx'
import { BarsSkeleton, Skeleton } from '../../../ui/skeleton.tsx'
import { RequestBars } from './request-bars.tsx'
import { figureNames, pointTime } from './traffic-texts.ts'

const height = 160

const Legend = ({ color, text }: { color: string; text: string }) => (
  <li className="flex items-center gap-2">
    <span className={`size-2.5 rounded-full ${color}`} />
    {text}
  </li>
)

const ChartLegend = () => (
  <ul aria-hidden className="flex flex-wrap gap-4 text-muted">
    <Legend color="bg-accent-fill" text={m.traffic_requests()} />
    <Legend color="bg-danger" text={m.traffic_errors()} />
  </ul>
)

/** The height of the line and the labels below the bars, in pixels. A week has two lines. */
const labelsHeight: Record<Traffic['range'], number> = { day: 25, week: 45, month: 25 }

export const TrafficChartSkeleton = ({ range }: Pick<Traffic, 'range'>) => (
  <div className="grid gap-4">
    <div style={{ height: height + labelsHeight[range] }}>
      <BarsSkeleton />
    </div>
    <ChartLegend />
    <p className="pointer-coarse:py-3">
      <Skeleton className="w-28" />
    </p>
  </div>
)

/** The requests of each hour or day as bars; a table has the same figures. */
export function TrafficChart({ traffic }: { traffic: Traffic }) {
  const { range, points } = traffic
  const locale = getLocale()
  return (
    <div className="grid gap-4">
      <RequestBars traffic={traffic} height={height} />
      <ChartLegend />
      <Disclosure summary={m.traffic_as_table()}>
        <div className="overflow-x-auto">
          <table className="w-full text-right tabular-nums">
            <caption className="sr-only">{m.traffic_title()}</caption>
            <thead className="text-muted">
              <tr className="border-b border-line">
                <th scope="col" className="py-2 pr-3 text-left font-medium">
                  {m.traffic_time()}
                </th>
                {figureNames().map((name) => (
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
                    {pointTime(range, point.time)}
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
      </Disclosure>
    </div>
  )
}
