import type { TeamDetail } from '@slipway/contract/teams'
import { m } from '@slipway/phrases'
import { useLocation } from '@tanstack/react-router'
import MailX from 'lucide-react/icons/mail-x'
import UserMinus from 'lucide-react/icons/user-minus'
import UserPlus from 'lucide-react/icons/user-plus'
import { type ComponentType, type ReactNode, useRef, useState } from 'react'
import { ListTable, ListTableSkeleton, type RowFilter } from '../../shell/lists/list-table.tsx'
import { useProfile } from '../../shell/session/account-context.ts'
import { RelativeTime } from '../../shell/time/time.tsx'
import { AddressText } from '../../ui/address-text.tsx'
import { Avatar } from '../../ui/avatar.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { useDialog } from '../../ui/dialog/use-dialog.ts'
import { NameSkeleton } from '../../ui/name-skeleton.tsx'
import { Section } from '../../ui/section.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import type { Column } from '../../ui/table/table-parts.tsx'
import { CancelInvitationDialog } from './cancel-invitation-dialog.tsx'
import { InviteForm } from './invite-user.tsx'
import { RemoveUserDialog } from './remove-user-dialog.tsx'

type User = TeamDetail['users'][number]
type Invited = TeamDetail['invited'][number]
type Row = { owner: TeamDetail['owner'] } | { user: User } | { invited: Invited }

type State = 'owner' | 'joined' | 'invited'

/** The states in their order in the list. */
const states: Record<State, { label: () => string; tone: 'primary' | 'secondary' }> = {
  owner: { label: m.teams_owner, tone: 'primary' },
  joined: { label: m.teams_joined, tone: 'primary' },
  invited: { label: m.teams_invited, tone: 'secondary' },
}
const order = Object.keys(states) as State[]

const stateOf = (row: Row): State =>
  'owner' in row ? 'owner' : 'user' in row ? 'joined' : 'invited'

/** When the user joined or was invited; the response does not contain it for the owner. */
const sinceOf = (row: Row) =>
  'owner' in row ? null : ('user' in row ? row.user : row.invited).createdAt

const keyOf = (row: Row) =>
  'owner' in row ? row.owner.id : 'user' in row ? row.user.id : row.invited.email

const columns: () => Column<Row>[] = () => [
  {
    key: 'user',
    header: m.teams_user(),
    sortBy: (row) =>
      'owner' in row ? row.owner.name : 'user' in row ? row.user.name : row.invited.email,
    cell: (row) =>
      'invited' in row ? (
        <Member avatar={row.invited.email}>
          <AddressText text={row.invited.email} />
        </Member>
      ) : (
        <UserName user={'owner' in row ? row.owner : row.user} />
      ),
    primary: true,
    skeleton: <NameSkeleton picture="circle" />,
  },
  {
    key: 'state',
    header: m.teams_state(),
    sortBy: (row) => order.indexOf(stateOf(row)),
    cell: (row) => {
      const { tone, label } = states[stateOf(row)]
      return <Badge tone={tone}>{label()}</Badge>
    },
    inCompact: true,
    skeleton: 'w-20',
  },
  {
    key: 'since',
    header: m.teams_since(),
    sortBy: (row) => {
      const since = sinceOf(row)
      return since === null ? null : Date.parse(since)
    },
    cell: (row) => {
      const since = sinceOf(row)
      return (
        <span className="text-muted max-sm:text-xs">
          {since === null ? '–' : <RelativeTime value={since} />}
        </span>
      )
    },
    inCompact: true,
    skeleton: 'w-24',
  },
]

const filters = (): RowFilter<Row>[] => [
  {
    key: 'state',
    label: m.teams_state(),
    all: m.tables_all_states(),
    options: order.map((value) => ({ value, label: states[value].label() })),
    matches: (row, value) => stateOf(row) === value,
  },
]

const definition = (actions: Column<Row> | false) => ({
  list: 'users',
  caption: m.teams_users(),
  searchLabel: m.tables_search_users(),
  totalLabel: (count: number) => m.tables_total_members({ count }),
  columns: actions ? [...columns(), actions] : columns(),
  filters: filters(),
  compact: true,
})

function searchIn(row: Row) {
  if ('invited' in row) return [row.invited.email]
  if ('owner' in row) return [row.owner.name, { id: row.owner.id }]
  return [row.user.name, row.user.username, { id: row.user.id }]
}

const actionColumn = (cell: Column<Row>['cell']): Column<Row> => ({
  key: 'actions',
  header: m.teams_actions(),
  cell,
  actions: true,
  inCompact: true,
  // A phone shows an icon.
  skeleton: (
    <>
      <Skeleton className="w-32 max-sm:hidden" height="control-height" />
      <Skeleton className="w-9 sm:hidden" height="control-height" />
    </>
  ),
})

function UserName({
  user: { id, name, username },
}: {
  user: Pick<User, 'id' | 'name'> & Partial<User>
}) {
  const self = useProfile()
  const isSelf = self.id === id
  const displayedUsername = isSelf ? self.username : username
  return (
    <Member avatar={name}>
      {isSelf ? m.teams_you({ name }) : name}
      {displayedUsername && (
        <span className="block text-xs font-normal text-muted">{displayedUsername}</span>
      )}
    </Member>
  )
}

const Member = ({ avatar, children }: { avatar: string; children: ReactNode }) => (
  <span className="flex min-h-9 min-w-0 items-center gap-3">
    {/* A phone needs the room for the name. */}
    <span className="flex max-sm:hidden">
      <Avatar name={avatar} />
    </span>
    <span className="min-w-0">{children}</span>
  </span>
)

/** On a phone an icon has room beside the name. */
const RemovalButton = ({
  label,
  name,
  icon: Icon,
  onClick,
}: {
  label: string
  name: string
  icon: ComponentType<{ className?: string; 'aria-hidden'?: boolean }>
  onClick: () => void
}) => (
  <span className="-mr-3">
    <Button variant="row" aria-label={name} onClick={onClick}>
      <Icon className="size-4 sm:hidden" aria-hidden />
      <span className="max-sm:hidden">{label}</span>
    </Button>
  </span>
)

/** The owner, the members and the invited users; an owner can remove them. */
export function TeamUsers({ team, editable }: { team: TeamDetail; editable: boolean }) {
  const { hash } = useLocation()
  const [inviting, setInviting] = useState(hash === 'invite')
  const inviteButton = useRef<HTMLButtonElement>(null)
  function closeForm() {
    setInviting(false)
    inviteButton.current?.focus()
  }
  const removal = useDialog<User>()
  const cancellation = useDialog<Invited>()
  const actions = actionColumn((row) =>
    'owner' in row ? null : 'user' in row ? (
      <RemovalButton
        label={m.teams_remove()}
        icon={UserMinus}
        name={m.teams_remove_named(row.user)}
        onClick={() => removal.openFor(row.user)}
      />
    ) : (
      <RemovalButton
        label={m.teams_cancel()}
        icon={MailX}
        name={m.teams_cancel_named(row.invited)}
        onClick={() => cancellation.openFor(row.invited)}
      />
    ),
  )
  const rows: Row[] = [
    { owner: team.owner },
    ...team.users.map((user) => ({ user })),
    ...team.invited.map((invited) => ({ invited })),
  ]
  return (
    <Section
      title={m.teams_users()}
      actions={
        editable && (
          <Button
            ref={inviteButton}
            // In an open form the button that sends is the primary one.
            variant={inviting ? 'secondary' : 'primary'}
            icon={UserPlus}
            aria-expanded={inviting}
            onClick={() => setInviting(!inviting)}
          >
            {m.teams_invite()}
          </Button>
        )
      }
    >
      {editable && inviting && <InviteForm team={team} onClose={closeForm} />}
      <ListTable
        {...definition(editable && rows.length > 1 && actions)}
        rows={rows}
        rowKey={keyOf}
        searchIn={searchIn}
      />
      {rows.length === 1 && (
        <p className="text-muted">
          <span className="font-medium text-fg">{m.teams_alone()}</span>
          <span className="block">{m.teams_alone_hint()}</span>
        </p>
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

export const TeamUsersSkeleton = ({ editable }: { editable: boolean }) => (
  <Section
    title={m.teams_users()}
    actions={editable && <Skeleton className="w-32" height="control-height" />}
  >
    <ListTableSkeleton {...definition(editable && actionColumn(() => null))} />
  </Section>
)
