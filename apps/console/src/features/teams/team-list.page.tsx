import type { UserId } from '@slipway/contract/account'
import type { Team } from '@slipway/contract/teams'
import { m } from '@slipway/phrases'
import { useQuery } from '@tanstack/react-query'
import { teamsQuery } from '../../api/queries.ts'
import { paths } from '../../paths.ts'
import { ListTable, ListTableSkeleton, type RowFilter } from '../../shell/lists/list-table.tsx'
import { TextLink } from '../../shell/navigation/link.tsx'
import { PageFrame } from '../../shell/page/page-frame.tsx'
import { QueryView } from '../../shell/page/query-view.tsx'
import { useProfile } from '../../shell/session/account-context.ts'
import { Badge } from '../../ui/badge.tsx'
import { EmptyState } from '../../ui/states.tsx'
import type { Column } from '../../ui/table/table-parts.tsx'
import { InvitationsLink } from './invitations-link.tsx'

const columnsFor = (userId: UserId): Column<Team>[] => [
  {
    key: 'name',
    header: m.teams_name(),
    sortBy: ({ name }) => name,
    cell: ({ id, name }) => <TextLink to={paths.team(id)}>{name}</TextLink>,
    primary: true,
    skeleton: 'w-40',
  },
  {
    key: 'ownership',
    header: m.teams_ownership(),
    // Owned teams first.
    sortBy: (team) => (team.userId === userId ? 0 : 1),
    cell: (team) =>
      team.userId === userId ? (
        <Badge tone="primary">{m.teams_owner()}</Badge>
      ) : (
        <Badge tone="secondary">{m.teams_joined()}</Badge>
      ),
    skeleton: 'w-20',
  },
]

const filtersFor = (userId: UserId): RowFilter<Team>[] => [
  {
    key: 'ownership',
    label: m.teams_ownership(),
    all: m.tables_all_ownerships(),
    options: [
      { value: 'owner', label: m.teams_owner() },
      { value: 'joined', label: m.teams_joined() },
    ],
    matches: (team, value) => (team.userId === userId) === (value === 'owner'),
  },
]

const definitionFor = (userId: UserId) => ({
  list: 'teams',
  caption: m.teams_list_caption(),
  searchLabel: m.tables_search_teams(),
  totalLabel: (count: number) => m.tables_total_teams({ count }),
  columns: columnsFor(userId),
  filters: filtersFor(userId),
})

export function Page() {
  const table = definitionFor(useProfile().id)
  return (
    <PageFrame actions={<InvitationsLink />}>
      <QueryView
        query={useQuery(teamsQuery)}
        item={m.teams_item_list()}
        loading={<ListTableSkeleton {...table} />}
        empty={<EmptyState title={m.teams_empty()}>{m.teams_empty_hint()}</EmptyState>}
      >
        {(teams) => (
          <ListTable
            {...table}
            rows={teams}
            rowKey={({ id }) => id}
            searchIn={({ id, name }) => [name, { id }]}
          />
        )}
      </QueryView>
    </PageFrame>
  )
}
