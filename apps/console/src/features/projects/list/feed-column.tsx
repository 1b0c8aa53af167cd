import { m } from '@slipway/phrases'
import type { ReactNode } from 'react'
import { ActivityListSkeleton } from '../../../ui/skeleton.tsx'

/** The column beside the list. It stays in the window while the list scrolls. */
export const FeedColumn = ({ children }: { children: ReactNode }) => (
  <aside
    aria-labelledby="recent-activity"
    className="sticky top-20 grid max-h-[calc(100dvh-6rem)] gap-4 overflow-x-clip overflow-y-auto text-muted"
  >
    <h2 id="recent-activity" className="leading-8 font-semibold text-fg">
      {m.activity_recent()}
    </h2>
    {children}
  </aside>
)

export const FeedSkeleton = () => (
  <FeedColumn>
    <ActivityListSkeleton rows={5} />
  </FeedColumn>
)
