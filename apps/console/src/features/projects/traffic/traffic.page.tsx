import { second } from '@slipway/contract/limits'
import type { Project } from '@slipway/contract/projects'
import { type Traffic, type TrafficRange, trafficRanges } from '@slipway/contract/traffic'
import { formatBytes, formatNumber, formatResponseTime, getLocale, m } from '@slipway/phrases'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useChoice } from '../../../shell/navigation/use-choice.ts'
import { QueryView } from '../../../shell/page/query-view.tsx'
import { Card } from '../../../ui/card.tsx'
import { Segments } from '../../../ui/segments.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { EmptyState } from '../../../ui/states.tsx'
import { OpenSiteButton } from '../access/open-site-button.tsx'
import { ProjectTab } from '../project-tab.tsx'
import { TrafficChart, TrafficChartSkeleton } from './traffic-chart.tsx'
import { trafficQuery } from './traffic-query.ts'
import { figureNames, rangeTexts } from './traffic-texts.ts'

/** Gateways write every five seconds, so the figures are at most 20 seconds old. */
const refetchInterval = 15 * second

function Figure({ label, value, hint }: { label: string; value: ReactNode; hint?: string }) {
  return (
    <div className="grid content-start gap-1 rounded-md border border-line bg-surface p-4">
      <dt className="text-muted">{label}</dt>
      <dd className="text-lg font-semibold tabular-nums">{value}</dd>
      {/* Always there, so that nothing moves. A phone has no room for an empty one. */}
      <dd className="text-xs text-muted empty:max-sm:hidden sm:min-h-4">{hint}</dd>
    </div>
  )
}

const figureGrid = 'grid grid-cols-2 gap-3 sm:grid-cols-3 lg:grid-cols-6'

/** The heading of the chart. */
const chartTitle = (range: TrafficRange) =>
  range === 'day' ? m.traffic_requests_by_hour() : m.traffic_requests_by_day()

const TrafficSkeleton = ({ range }: { range: TrafficRange }) => (
  <>
    <dl className={figureGrid}>
      {figureNames().map((label) => (
        <Figure key={label} label={label} value={<Skeleton className="w-16" />} />
      ))}
    </dl>
    <Card title={chartTitle(range)}>
      <TrafficChartSkeleton range={range} />
    </Card>
  </>
)

function Figures({ traffic: { range, total } }: { traffic: Traffic }) {
  const locale = getLocale()
  const { requests, visitors, bytes, clientErrors, serverErrors, median, p95 } = total
  const time = (ms: number | null) => (ms === null ? '–' : formatResponseTime(ms, locale))
  return (
    <dl className={figureGrid}>
      <Figure label={m.traffic_requests()} value={formatNumber(requests, locale)} />
      <Figure
        label={m.traffic_visitors()}
        value={formatNumber(visitors, locale)}
        {...(range === 'day' ? {} : { hint: m.traffic_visitors_hint() })}
      />
      <Figure label={m.traffic_transferred()} value={formatBytes(bytes, locale)} />
      <Figure
        label={m.traffic_errors()}
        value={formatNumber(clientErrors + serverErrors, locale)}
        {...(serverErrors > 0
          ? {
              hint:
                clientErrors === 0
                  ? m.traffic_only_server_errors()
                  : m.traffic_server_errors({ errors: formatNumber(serverErrors, locale) }),
            }
          : {})}
      />
      <Figure label={m.traffic_median()} value={time(median)} />
      <Figure label={m.traffic_p95()} value={time(p95)} />
    </dl>
  )
}

function TrafficOf({ project, range }: { project: Project; range: TrafficRange }) {
  const query = useQuery({
    ...trafficQuery(project.id, range),
    refetchInterval,
    placeholderData: keepPreviousData,
  })
  return (
    <QueryView query={query} item={m.traffic_item()} loading={<TrafficSkeleton range={range} />}>
      {(traffic) =>
        traffic.total.requests === 0 ? (
          <EmptyState title={m.traffic_none()} action={<OpenSiteButton project={project} />}>
            {m.traffic_none_hint()}
          </EmptyState>
        ) : (
          <>
            <Figures traffic={traffic} />
            <Card title={chartTitle(traffic.range)}>
              <TrafficChart traffic={traffic} />
            </Card>
          </>
        )
      }
    </QueryView>
  )
}

export function Page() {
  const [range, setRange] = useChoice<TrafficRange>('range', trafficRanges)
  const below = (content: ReactNode) => (
    <div className="grid gap-4">
      <div>
        <Segments
          label={m.traffic_range()}
          value={range}
          options={trafficRanges.map((value) => ({ value, label: rangeTexts[value]() }))}
          onChange={setRange}
        />
      </div>
      {content}
    </div>
  )
  return (
    <ProjectTab loading={below(<TrafficSkeleton range={range} />)}>
      {(project) => below(<TrafficOf project={project} range={range} />)}
    </ProjectTab>
  )
}
