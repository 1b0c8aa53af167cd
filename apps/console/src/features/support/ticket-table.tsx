import type { Ticket } from '@slipway/contract/support'
import { m } from '@slipway/phrases'
import { Link } from '@tanstack/react-router'
import { paths } from '../../paths.ts'
import { ShortId } from '../../shell/short-id.tsx'
import { RelativeTime } from '../../shell/time.tsx'
import { classNames } from '../../ui/class-names.ts'
import { linkClass } from '../../ui/external-link.tsx'
import { type Column, Table, TableSkeleton } from '../../ui/table.tsx'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import { TicketStateBadge } from './ticket-state-badge.tsx'

const columns = (): Column<Ticket>[] => [
  {
    key: 'id',
    header: m.support_id(),
    cell: ({ id, subject }) => <ShortId id={id} label={m.support_copy_id({ subject })} />,
    last: true,
    skeleton: 'w-20',
  },
  {
    key: 'subject',
    header: m.support_subject(),
    cell: (ticket) => <SubjectCell ticket={ticket} />,
    primary: true,
    skeleton: 'w-56',
  },
  {
    key: 'state',
    header: m.support_state(),
    cell: ({ state }) => <TicketStateBadge state={state} />,
    skeleton: 'w-20',
  },
  {
    key: 'updated',
    header: m.support_updated(),
    cell: ({ updatedAt }) => <RelativeTime value={updatedAt} />,
    skeleton: 'w-24',
  },
]

/** The subject; with a dot and in bold while a reply waits to be read. */
const SubjectCell = ({ ticket: { id, subject, unread } }: { ticket: Ticket }) => (
  // A table takes words apart rather than grow: subjects keep room for some of them.
  <span className="relative inline-block text-left sm:min-w-40">
    {unread && (
      <span
        aria-hidden
        className="absolute top-1.5 -left-3 size-2 rounded-full bg-accent-fill max-sm:top-2"
      />
    )}
    <Link
      to={paths.ticket(id)}
      className={classNames(
        linkClass,
        'inline-block',
        unread ? 'font-semibold' : 'max-sm:font-medium',
      )}
    >
      {unread && <VisuallyHidden>{m.support_unread()}: </VisuallyHidden>}
      {subject}
    </Link>
  </span>
)

export const TicketTable = ({ tickets }: { tickets: readonly Ticket[] }) => (
  <Table
    caption={m.support_list_caption()}
    columns={columns()}
    rows={tickets}
    rowKey={({ id }) => id}
  />
)

export const TicketTableSkeleton = () => (
  <TableSkeleton caption={m.support_list_caption()} columns={columns()} />
)
