import type { UserId } from '@slipway/contract/account'
import type { Team } from '@slipway/contract/teams'
import { m } from '@slipway/phrases'
import { useQuery } from '@tanstack/react-query'
import { teamsQuery } from '../../api/queries.ts'
import { QueryView } from '../../api/query-view.tsx'
import { paths } from '../../paths.ts'
import { useProfile } from '../../shell/account-context.ts'
import { TextLink } from '../../shell/link.tsx'
import { PageFrame } from '../../shell/page-frame.tsx'
import { Badge } from '../../ui/badge.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { type Column, Table, TableSkeleton } from '../../ui/table.tsx'
import { InvitationsLink } from './invitations-link.tsx'

const columnsFor = (userId: UserId): Column<Team>[] => [
  {
    key: 'name',
    header: m.teams_name(),
    cell: ({ id, name }) => <TextLink to={paths.team(id)}>{name}</TextLink>,
    primary: true,
    skeleton: 'w-40',
  },
  {
    key: 'ownership',
    header: m.teams_ownership(),
    cell: (team) =>
      team.userId === userId ? (
        <Badge tone="primary">{m.teams_owner()}</Badge>
      ) : (
        <Badge tone="secondary">{m.teams_joined()}</Badge>
      ),
    skeleton: 'w-20',
  },
]

export function Page() {
  const table = { caption: m.teams_list_caption(), columns: columnsFor(useProfile().id) }
  return (
    <PageFrame title={m.teams_title()} actions={<InvitationsLink />}>
      <QueryView
        query={useQuery(teamsQuery)}
        item={m.teams_item_list()}
        loading={<TableSkeleton {...table} />}
        empty={<EmptyState title={m.teams_empty()}>{m.teams_empty_hint()}</EmptyState>}
      >
        {(teams) => <Table {...table} rows={teams} rowKey={({ id }) => id} />}
      </QueryView>
    </PageFrame>
  )
}
