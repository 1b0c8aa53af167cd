import { m } from '@slipway/phrases'
import { useQuery } from '@tanstack/react-query'
import { Outlet } from '@tanstack/react-router'
import { teamsQuery } from '../../api/queries.ts'
import { useLoadingTitle } from '../page/loading-title.ts'
import { PageSkeleton } from '../page/page-skeleton.tsx'
import { QueryView } from '../page/query-view.tsx'
import { TeamsContext } from '../session/account-context.ts'

/** The layout of the project and team areas, whose pages need the list of teams. */
export function Page() {
  const teams = useQuery(teamsQuery)
  useLoadingTitle(m.shell_item_teams(), teams)
  return (
    <QueryView page query={teams} item={m.shell_item_teams()} loading={<PageSkeleton />}>
      {(loadedTeams) => (
        <TeamsContext value={loadedTeams}>
          <Outlet />
        </TeamsContext>
      )}
    </QueryView>
  )
}
