import { useQuery } from '@tanstack/react-query'
import { recentActivityQuery } from '../../../api/activity-queries.ts'
import { ActivityList } from '../../../shell/activity/activity-list.tsx'
import { FeedColumn, FeedSkeleton, useHasFeed } from './feed-column.tsx'

/** As many as fit beside the first rows; the pages of teams and projects have the rest. */
const shownEntries = 5

/** The column of the newest entries. There is none with few entries, or if they fail to load. */
export default function RecentActivity() {
  const { data, isError } = useQuery(recentActivityQuery)
  const hasFeed = useHasFeed(data?.items.length)
  if (isError || !hasFeed) return null
  if (!data) return <FeedSkeleton />
  const entries = data.items.slice(0, shownEntries)
  const teams = new Set(entries.flatMap(({ team }) => (team ? [team.id] : [])))
  return (
    <FeedColumn>
      <ActivityList entries={entries} scope={teams.size > 1 ? 'all' : 'team'} />
    </FeedColumn>
  )
}
