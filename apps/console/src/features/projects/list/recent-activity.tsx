import { m } from '@slipway/phrases'
import { useQuery } from '@tanstack/react-query'
import { recentActivityQuery } from '../../../api/activity-queries.ts'
import { ActivityList, ActivityListSkeleton } from '../../../shell/activity/activity-list.tsx'

/** What happened last in the teams of the user. A feed that fails to load is not shown. */
export default function RecentActivity() {
  const { data, isError } = useQuery(recentActivityQuery)
  if (isError) return null
  return (
    <section aria-labelledby="recent-activity" className="grid gap-4">
      <h2 id="recent-activity" className="font-semibold">
        {m.activity_recent()}
      </h2>
      {data ? <ActivityList entries={data.items} scope="all" /> : <ActivityListSkeleton rows={8} />}
      {data?.items.length === 0 && <p className="text-muted">{m.activity_empty()}</p>}
    </section>
  )
}
