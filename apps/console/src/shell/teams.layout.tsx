import { m } from '@slipway/phrases'
import { useQuery } from '@tanstack/react-query'
import { Outlet } from '@tanstack/react-router'
import { teamsQuery } from '../api/queries.ts'
import { QueryView } from '../api/query-view.tsx'
import { TeamsContext } from './account-context.ts'
import { PageSkeleton } from './page-skeleton.tsx'

/** The project and team areas: their pages have the team list. */
export function Page() {
  return (
    <QueryView
      page
      query={useQuery(teamsQuery)}
      item={m.shell_item_teams()}
      loading={<PageSkeleton />}
    >
      {(teams) => (
        <TeamsContext value={teams}>
          <Outlet />
        </TeamsContext>
      )}
    </QueryView>
  )
}
