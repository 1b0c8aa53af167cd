import { limits } from '@slipway/contract/limits'
import type { Team } from '@slipway/contract/teams'
import { formatMoney, getLocale, m } from '@slipway/phrases'
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
  const formatPrice = (amount: string) => formatMoney(amount, getLocale())
  return (
    <section aria-label={m.projects_price()} className="grid gap-1.5">
      <p className="font-medium">{m.projects_price()}</p>
      {isPending && <Skeleton className="w-48" />}
      {rate && (
        <p>
          {m.projects_price_hour({ hour: formatPrice(rate.hour), month: formatPrice(rate.month) })}
        </p>
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
