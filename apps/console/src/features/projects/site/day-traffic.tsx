import { second } from '@slipway/contract/limits'
import type { Project } from '@slipway/contract/projects'
import { formatNumber, getLocale, m } from '@slipway/phrases'
import { useQuery } from '@tanstack/react-query'
import { paths } from '../../../paths.ts'
import { TextLink } from '../../../shell/navigation/link.tsx'
import { Card } from '../../../ui/card.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { RequestBars } from '../traffic/request-bars.tsx'
import { trafficQuery } from '../traffic/traffic-query.ts'

/** Gateways write every five seconds. */
const refetchInterval = 30 * second

/** The height of the chart's bars in pixels; with its labels it is as high as `EmptyChart`. */
const height = 167

/** The requests of the last 24 hours, by hour. */
export function DayTraffic({ project }: { project: Project }) {
  const { data, isPending } = useQuery({ ...trafficQuery(project.id, 'day'), refetchInterval })
  const count = data?.total.requests ?? 0
  return (
    <Card
      title={m.projects_traffic()}
      actions={
        data && (
          <TextLink to={paths.traffic(project.key)}>
            {m.projects_requests({ count, requests: formatNumber(count, getLocale()) })}
          </TextLink>
        )
      }
    >
      {isPending ? (
        <EmptyChart />
      ) : data && count > 0 ? (
        <RequestBars traffic={data} height={height} />
      ) : (
        <p className="text-muted">{m.traffic_none()}</p>
      )}
    </Card>
  )
}

export const DayTrafficSkeleton = () => (
  <Card title={m.projects_traffic()}>
    <EmptyChart />
  </Card>
)

/** In pixels. */
const barHeights = [64, 48, 32, 40, 80, 112, 144, 160, 152, 128, 120, 96]

/** The chart while it loads; on a phone a line. */
const EmptyChart = () => (
  <div className="grid sm:min-h-48 sm:place-items-center">
    <Skeleton className="h-5 w-full sm:hidden" />
    <div aria-hidden className="flex w-full items-end gap-2 max-sm:hidden">
      {barHeights.map((height) => (
        <span
          key={height}
          style={{ height }}
          className="flex-1 animate-shimmer rounded-md bg-line"
        />
      ))}
    </div>
  </div>
)
