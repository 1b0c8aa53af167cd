import { limits } from '@slipway/contract/limits'
import type { Team } from '@slipway/contract/teams'
import { formatCharge, formatMoney, getLocale, m } from '@slipway/phrases'
import { useQuery } from '@tanstack/react-query'
import { projectPriceQuery } from '../../../api/queries.ts'
import { useProfile } from '../../../shell/session/account-context.ts'
import { Skeleton } from '../../../ui/skeleton.tsx'

/** The price of a project in the team, and who pays; the list price until a team is selected. */
export function ProjectPrice({ team }: { team: Team | undefined }) {
  const { data, isPending } = useQuery(projectPriceQuery)
  const isOwn = useProfile().id === team?.userId
  const rate = isOwn ? data?.own : data?.list
  const isLess = isOwn && data?.own.hour !== data?.list.hour
  return (
    <section aria-label={m.projects_price()} className="grid gap-1.5 rounded-md bg-hover p-4">
      {isPending && <Skeleton className="w-48 bg-canvas" height="h-7" />}
      {rate && (
        <>
          <p className="text-lg leading-7 font-semibold">
            {m.projects_price_month({ month: formatCharge(rate.month, getLocale()) })}
          </p>
          <p>{m.projects_price_hour({ hour: formatMoney(rate.hour, getLocale()) })}</p>
        </>
      )}
      {!isPending && (
        <p className="text-muted">
          {[
            rate
              ? m.projects_price_rule({ hours: String(limits.billedHoursPerMonth) })
              : m.projects_price_unknown(),
            isLess && m.projects_price_discount(),
            isOwn ? m.projects_price_yours() : m.projects_price_owners(),
          ]
            .filter(Boolean)
            .join(' ')}
        </p>
      )}
    </section>
  )
}
