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

/** The height of the chart's bars in pixels; with its labels it is as high as `EmptyChart`. */
const height = 167

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
          <p className="flex items-center gap-2">
            <TextLink to={paths.traffic(project.key)}>
              {m.projects_requests({ count, requests: formatNumber(count, locale) })}
            </TextLink>
            {errors > 0 && (
              <>
                {/* The red part of the bars. */}
                <span aria-hidden className="size-2 rounded-full bg-danger" />
                {m.projects_errors({ count: errors, errors: formatNumber(errors, locale) })}
              </>
            )}
          </p>
        )
      }
    >
      {isPending ? (
        <EmptyChart />
      ) : data && count > 0 ? (
        <RequestBars traffic={data} height={height} />
      ) : (
        <p className="py-12 text-center text-muted">{m.traffic_none()}</p>
      )}
    </Card>
  )
}

export const DayTrafficSkeleton = () => (
  <Card title={m.projects_traffic()}>
    <EmptyChart />
  </Card>
)

/** The chart while it loads. */
const EmptyChart = () => (
  <div className="grid min-h-48 place-items-center">
    <div className="flex w-full">
      <BarsSkeleton />
    </div>
  </div>
)
