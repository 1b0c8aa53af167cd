import type { UserId } from '@slipway/contract/account'
import type { Team } from '@slipway/contract/teams'
import { m } from '@slipway/phrases'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { teamsQuery } from '../../api/queries.ts'
import { paths } from '../../paths.ts'
import { ListTable, ListTableSkeleton, type RowFilter } from '../../shell/lists/list-table.tsx'
import { PageFrame } from '../../shell/page/page-frame.tsx'
import { QueryView } from '../../shell/page/query-view.tsx'
import { useProfile } from '../../shell/session/account-context.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Badge } from '../../ui/badge.tsx'
import { classNames } from '../../ui/class-names.ts'
import { NameSkeleton } from '../../ui/name-skeleton.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { type Column, rowLinkClass } from '../../ui/table/table-parts.tsx'
import { InvitationsLink } from './invitations-link.tsx'

const columnsFor = (userId: UserId): Column<Team>[] => [
  {
    key: 'name',
    header: m.teams_name(),
    sortBy: ({ name }) => name,
    cell: (team) => <TeamNameCell team={team} isOwned={team.userId === userId} />,
    primary: true,
    fills: true,
    skeleton: (
      <NameSkeleton picture="tile">
        <Skeleton className="w-40" />
      </NameSkeleton>
    ),
  },
  {
    key: 'role',
    header: m.teams_role(),
    // Owned teams first.
    sortBy: (team) => (team.userId === userId ? 0 : 1),
    // On a phone it is below the name.
    cell: (team) => <RoleBadge isOwned={team.userId === userId} />,
    skeleton: 'w-20',
  },
]

const RoleBadge = ({ isOwned, quiet }: { isOwned: boolean; quiet?: boolean }) => (
  <Badge tone={isOwned ? 'primary' : 'secondary'} quiet={quiet}>
    {isOwned ? m.teams_owner() : m.teams_joined()}
  </Badge>
)

/** The tile and the name. The whole row is the target of the link. */
const TeamNameCell = ({ team: { id, name }, isOwned }: { team: Team; isOwned: boolean }) => (
  <span className="flex min-w-0 items-center gap-3">
    <Avatar name={name} look="team" />
    <span className="grid min-w-0 text-left">
      <Link
        to={paths.team(id)}
        title={name}
        className={classNames('truncate rounded-md font-medium', rowLinkClass)}
      >
        {name}
      </Link>
      <span className="flex text-xs sm:hidden">
        <RoleBadge isOwned={isOwned} quiet />
      </span>
    </span>
  </span>
)

const filtersFor = (userId: UserId): RowFilter<Team>[] => [
  {
    key: 'role',
    label: m.teams_role(),
    all: m.tables_all_roles(),
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
  compact: true,
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
