import type { TeamDetail } from '@slipway/contract/teams'
import { m } from '@slipway/phrases'
import { useProfile } from '../../shell/account-context.ts'
import { ListTable, ListTableSkeleton, type RowFilter } from '../../shell/list-table.tsx'
import { RelativeTime } from '../../shell/time.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Section } from '../../ui/section.tsx'
import { EmptyState } from '../../ui/states.tsx'
import type { Column } from '../../ui/table-parts.tsx'
import { useDialog } from '../../ui/use-dialog.ts'
import { CancelInvitationDialog } from './cancel-invitation-dialog.tsx'
import { EmailText } from './email-text.tsx'
import { RemoveUserDialog } from './remove-user-dialog.tsx'

type User = TeamDetail['users'][number]
type Invited = TeamDetail['invited'][number]
type Row = { user: User } | { invited: Invited }

const columns: () => Column<Row>[] = () => [
  {
    key: 'user',
    header: m.teams_user(),
    sortBy: (row) => ('user' in row ? row.user.name : row.invited.email),
    cell: (row) =>
      'user' in row ? <Name user={row.user} /> : <EmailText email={row.invited.email} />,
    primary: true,
    skeleton: 'w-40',
  },
  {
    key: 'state',
    header: m.teams_state(),
    sortBy: (row) => ('user' in row ? 0 : 1),
    cell: (row) =>
      'user' in row ? (
        <Badge tone="primary">{m.teams_joined()}</Badge>
      ) : (
        <Badge tone="secondary">{m.teams_invited()}</Badge>
      ),
    skeleton: 'w-20',
  },
  {
    key: 'since',
    header: m.teams_since(),
    sortBy: (row) => Date.parse(('user' in row ? row.user : row.invited).createdAt),
    cell: (row) => <RelativeTime value={('user' in row ? row.user : row.invited).createdAt} />,
    skeleton: 'w-24',
  },
]

const filters = (): RowFilter<Row>[] => [
  {
    key: 'state',
    label: m.teams_state(),
    all: m.tables_all_states(),
    options: [
      { value: 'joined', label: m.teams_joined() },
      { value: 'invited', label: m.teams_invited() },
    ],
    matches: (row, value) => 'user' in row === (value === 'joined'),
  },
]

const definition = (actions: Column<Row> | false) => ({
  list: 'users',
  caption: m.teams_users(),
  searchLabel: m.tables_search_users(),
  columns: actions ? [...columns(), actions] : columns(),
  filters: filters(),
})

const searchIn = (row: Row) =>
  'user' in row ? [row.user.name, row.user.username, { id: row.user.id }] : [row.invited.email]

const actionColumn = (cell: Column<Row>['cell']): Column<Row> => ({
  key: 'actions',
  header: m.teams_actions(),
  cell,
  actions: true,
  skeleton: 'w-32',
})

function Name({ user: { id, name, username } }: { user: User }) {
  const isSelf = useProfile().id === id
  return (
    <>
      {isSelf ? m.teams_you({ name }) : name}
      <span className="block text-xs font-medium text-muted">{username}</span>
    </>
  )
}

/** Who joined and who is invited; whoever may edit them can take them out again. */
export function TeamUsers({
  team,
  editable,
  onInvite,
}: {
  team: TeamDetail
  editable: boolean
  onInvite: () => void
}) {
  const removal = useDialog<User>()
  const cancellation = useDialog<Invited>()
  const actions = actionColumn((row) =>
    'user' in row ? (
      <Button aria-label={m.teams_remove_named(row.user)} onClick={() => removal.ask(row.user)}>
        {m.teams_remove()}
      </Button>
    ) : (
      <Button
        aria-label={m.teams_cancel_named(row.invited)}
        onClick={() => cancellation.ask(row.invited)}
      >
        {m.teams_cancel()}
      </Button>
    ),
  )
  const rows: Row[] = [
    ...team.users.map((user) => ({ user })),
    ...team.invited.map((invited) => ({ invited })),
  ]
  return (
    <Section title={m.teams_users()}>
      {rows.length > 0 ? (
        <ListTable
          {...definition(editable && actions)}
          rows={rows}
          rowKey={(row) => ('user' in row ? row.user.id : row.invited.email)}
          searchIn={searchIn}
        />
      ) : (
        <EmptyState
          title={m.teams_alone()}
          action={<Button onClick={onInvite}>{m.teams_invite()}</Button>}
        >
          {m.teams_alone_hint()}
        </EmptyState>
      )}
      {removal.subject && (
        <RemoveUserDialog
          team={team}
          user={removal.subject}
          open={removal.open}
          onClose={removal.close}
        />
      )}
      {cancellation.subject && (
        <CancelInvitationDialog
          team={team}
          email={cancellation.subject.email}
          open={cancellation.open}
          onClose={cancellation.close}
        />
      )}
    </Section>
  )
}

/** The shape of the users while they load. */
export const TeamUsersSkeleton = ({ editable }: { editable: boolean }) => (
  <Section title={m.teams_users()}>
    <ListTableSkeleton {...definition(editable && actionColumn(() => null))} />
  </Section>
)
