import type { ActivityPage } from '@slipway/contract/activity'
import { m } from '@slipway/phrases'
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { ActivityListSkeleton } from '../../ui/skeleton.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { QueryView } from '../page/query-view.tsx'
import { ActivityList } from './activity-list.tsx'

/** The activity of a project or a team: the newest, and older entries on request. */
export const PagedActivity = ({
  query,
  scope,
  title,
}: {
  query: UseInfiniteQueryResult<InfiniteData<ActivityPage>>
  scope: 'project' | 'team'
  /** The heading, on a page that shows other content, too. */
  title?: string
}) => (
  <QueryView
    query={query}
    item={m.activity_item()}
    loading={
      <Card title={title}>
        <ActivityListSkeleton rows={6} />
      </Card>
    }
  >
    {({ pages }) => {
      const entries = pages.flatMap(({ items }) => items)
      if (entries.length === 0)
        return <EmptyState title={m.activity_empty()}>{m.activity_empty_hint()}</EmptyState>
      return (
        <Card title={title}>
          <ActivityList entries={entries} scope={scope} />
          {query.hasNextPage && (
            <div className="mt-6">
              <Button pending={query.isFetchingNextPage} onClick={() => query.fetchNextPage()}>
                {m.activity_older()}
              </Button>
            </div>
          )}
        </Card>
      )
    }}
  </QueryView>
)
