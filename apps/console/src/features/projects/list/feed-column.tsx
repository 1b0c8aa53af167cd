import { m } from '@slipway/phrases'
import { type ReactNode, useEffect } from 'react'
import { lastLength, storeLength } from '../../../shell/lists/list-lengths.ts'
import { ActivityListSkeleton } from '../../../ui/skeleton.tsx'

const list = 'activity'

/** Fewer entries are on the pages of their projects and teams alone. */
const minEntries = 3

/** Stores the number of entries; true if they have a column. */
export function useHasFeed(count: number | undefined) {
  useEffect(() => {
    if (count !== undefined) storeLength(list, count)
  }, [count])
  return (count ?? lastLength(list, minEntries)) >= minEntries
}

/** The card beside the list. It stays in the window while the list scrolls. */
export const FeedColumn = ({ children }: { children: ReactNode }) => (
  <aside
    aria-labelledby="recent-activity"
    className="sticky top-20 max-h-[calc(100dvh-6rem)] overflow-x-clip overflow-y-auto rounded-md border border-line bg-surface px-4 text-muted"
  >
    {/* As high as the first row beside it. */}
    <h2 id="recent-activity" className="flex min-h-9 items-center font-semibold text-fg">
      {m.activity_recent()}
    </h2>
    <div className="-mx-4 border-t border-line px-4 py-3">{children}</div>
  </aside>
)

/** Nothing if there were too few entries when they were last loaded on this device. */
export const FeedSkeleton = () =>
  useHasFeed(undefined) && (
    <FeedColumn>
      <ActivityListSkeleton rows={5} />
    </FeedColumn>
  )
