import type { UserProfile } from '@slipway/contract/account'
import type { TeamDetail } from '@slipway/contract/teams'
import { m } from '@slipway/phrases'
import { useLocation } from '@tanstack/react-router'
import Ellipsis from 'lucide-react/icons/ellipsis'
import MailX from 'lucide-react/icons/mail-x'
import UserMinus from 'lucide-react/icons/user-minus'
import UserPlus from 'lucide-react/icons/user-plus'
import { useRef, useState } from 'react'
import { ListTable, ListTableSkeleton, type RowFilter } from '../../shell/lists/list-table.tsx'
import { useProfile } from '../../shell/session/account-context.ts'
import { RelativeTime } from '../../shell/time/time.tsx'
import { AddressText } from '../../ui/address-text.tsx'
import { Avatar } from '../../ui/avatar.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { useDialog } from '../../ui/dialog/use-dialog.ts'
import { Menu, type MenuAction } from '../../ui/menu/menu.tsx'
import { NameSkeleton } from '../../ui/name-skeleton.tsx'
import { Section } from '../../ui/section.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import type { Column } from '../../ui/table/table-parts.tsx'
import { useIsPhone } from '../../ui/use-is-phone.ts'
import { CancelInvitationDialog } from './cancel-invitation-dialog.tsx'
import { InviteForm } from './invite-user.tsx'
import { RemoveUserDialog } from './remove-user-dialog.tsx'

type User = TeamDetail['users'][number]
type Invited = TeamDetail['invited'][number]
type Row = { owner: TeamDetail['owner'] } | { user: User } | { invited: Invited }

type Role = 'owner' | 'joined' | 'invited'

/** The roles in their order in the list. */
const roles: Record<Role, { label: () => string; tone: 'primary' | 'secondary' }> = {
  owner: { label: m.teams_owner, tone: 'primary' },
  joined: { label: m.teams_joined, tone: 'primary' },
  invited: { label: m.teams_invited, tone: 'secondary' },
}
const order = Object.keys(roles) as Role[]

const roleOf = (row: Row): Role => ('owner' in row ? 'owner' : 'user' in row ? 'joined' : 'invited')

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
    cell: (row) => <Member row={row} />,
    primary: true,
    skeleton: <NameSkeleton picture="circle" />,
  },
  {
    key: 'role',
    header: m.teams_role(),
    sortBy: (row) => order.indexOf(roleOf(row)),
    cell: (row) => <RoleBadge row={row} />,
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
        <span className="text-muted">{since === null ? '–' : <RelativeTime value={since} />}</span>
      )
    },
    skeleton: 'w-24',
  },
]

const filters = (): RowFilter<Row>[] => [
  {
    key: 'role',
    label: m.teams_role(),
    all: m.tables_all_roles(),
    options: order.map((value) => ({ value, label: roles[value].label() })),
    matches: (row, value) => roleOf(row) === value,
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
  // A phone shows a menu.
  skeleton: (
    <>
      <Skeleton className="w-32 max-sm:hidden" height="control-height" />
      <Skeleton className="w-9 sm:hidden" height="control-height" />
    </>
  ),
})

const RoleBadge = ({ row }: { row: Row }) => {
  const { tone, label } = roles[roleOf(row)]
  return <Badge tone={tone}>{label()}</Badge>
}

/** What the row calls a user or an invitation, and the name below it. */
function namesOf(row: Row, self: UserProfile) {
  if ('invited' in row) return { name: row.invited.email, shownName: row.invited.email }
  const { id, name, username }: Pick<User, 'id' | 'name'> & Partial<User> =
    'owner' in row ? row.owner : row.user
  return self.id === id
    ? { name, shownName: m.teams_you({ name }), username: self.username }
    : { name, shownName: name, username }
}

/** The name of a row. On a phone it has two lines: the role is beside the name, the time below. */
function Member({ row }: { row: Row }) {
  const { name, shownName, username } = namesOf(row, useProfile())
  return useIsPhone() ? (
    <PhoneMember row={row} name={shownName} username={username} />
  ) : (
    <span className="flex min-h-9 min-w-0 items-center gap-3">
      <Avatar name={name} />
      <span className="min-w-0">
        {'invited' in row ? <AddressText text={shownName} /> : shownName}
        {username && <span className="block text-xs font-normal text-muted">{username}</span>}
      </span>
    </span>
  )
}

function PhoneMember({
  row,
  name,
  username,
}: {
  row: Row
  name: string
  username: string | undefined
}) {
  const since = sinceOf(row)
  return (
    <span className="grid min-h-9 content-center gap-1">
      <span className="flex min-w-0 items-center gap-2">
        <span title={name} className="truncate">
          {name}
        </span>
        <RoleBadge row={row} />
      </span>
      <span className="flex min-w-0 text-xs font-normal text-muted">
        {username && (
          <span title={username} className="truncate">
            {username}
          </span>
        )}
        {username && since !== null && <span className="px-1">·</span>}
        {since !== null && (
          <span className="shrink-0">
            <RelativeTime value={since} />
          </span>
        )}
      </span>
    </span>
  )
}

/** The one action of a row; a phone has room for a menu. */
const RemovalButton = ({
  label,
  name,
  row,
  icon,
  onClick,
}: {
  label: string
  /** The button's accessible name. */
  name: string
  /** The name of the row. */
  row: string
  icon: MenuAction['icon']
  onClick: () => void
}) => (
  <span className="-mr-3">
    {useIsPhone() ? (
      <Menu
        label={m.teams_menu({ name: row })}
        icon={Ellipsis}
        entries={[{ kind: 'action', label, icon, tone: 'danger', onSelect: onClick }]}
      />
    ) : (
      <Button variant="row" aria-label={name} onClick={onClick}>
        {label}
      </Button>
    )}
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
        row={row.user.name}
        onClick={() => removal.openFor(row.user)}
      />
    ) : (
      <RemovalButton
        label={m.teams_cancel()}
        icon={MailX}
        name={m.teams_cancel_named(row.invited)}
        row={row.invited.email}
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
