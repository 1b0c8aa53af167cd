import { second } from '@slipway/contract/limits'
import type { Project } from '@slipway/contract/projects'
import { formatNumber, getLocale, m } from '@slipway/phrases'
import { useQuery } from '@tanstack/react-query'
import { paths } from '../../../paths.ts'
import { TextLink } from '../../../shell/navigation/link.tsx'
import { Card } from '../../../ui/card.tsx'
import { BarsSkeleton } from '../../../ui/skeleton.tsx'
import { RequestBars } from '../traffic/request-bars.tsx'
import { trafficQuery } from '../traffic/traffic-query.ts'

/** Gateways write every five seconds. */
const refetchInterval = 30 * second

/** The height of the chart's bars in pixels: the card is as high as that of four releases. */
const height = 131
/** The lines above and below the bars. */
const textHeight = 53

/** The requests of the last 24 hours, by hour. */
export function DayTraffic({ project }: { project: Project }) {
  const { data, isPending } = useQuery({ ...trafficQuery(project.id, 'day'), refetchInterval })
  const count = data?.total.requests ?? 0
  const errors = data ? data.total.clientErrors + data.total.serverErrors : 0
  const locale = getLocale()
  return (
    <Card
      title={m.projects_traffic()}
      actions={
        count > 0 && (
          <TextLink to={paths.traffic(project.key)}>{m.projects_traffic_view()}</TextLink>
        )
      }
    >
      {isPending ? (
        <EmptyChart />
      ) : data && count > 0 ? (
        <>
          <p className="-mt-2 mb-4 flex items-center gap-4 text-muted">
            <Series color="bg-accent-fill">
              {m.projects_requests({ count, requests: formatNumber(count, locale) })}
            </Series>
            {errors > 0 && (
              <Series color="bg-danger">
                {m.projects_errors({ count: errors, errors: formatNumber(errors, locale) })}
              </Series>
            )}
          </p>
          <RequestBars traffic={data} height={height} />
        </>
      ) : (
        <p className="py-12 text-center text-muted">{m.traffic_none()}</p>
      )}
    </Card>
  )
}

/** What a part of the bars counts. */
const Series = ({ color, children }: { color: string; children: string }) => (
  <span className="flex items-center gap-2">
    <span aria-hidden className={`size-2 rounded-full ${color}`} />
    {children}
  </span>
)

export const DayTrafficSkeleton = () => (
  <Card title={m.projects_traffic()}>
    <EmptyChart />
  </Card>
)

/** The chart while it loads. */
const EmptyChart = () => (
  <div className="grid place-items-center" style={{ minHeight: height + textHeight }}>
    <div className="flex w-full">
      <BarsSkeleton />
    </div>
  </div>
)
