import { ticketStates as states, type Ticket } from '@slipway/contract/support'
import { m } from '@slipway/phrases'
import { Link } from '@tanstack/react-router'
import { paths } from '../../paths.ts'
import { ListTable, ListTableSkeleton, type RowFilter } from '../../shell/lists/list-table.tsx'
import { ShortId } from '../../shell/page/short-id.tsx'
import { RelativeTime } from '../../shell/time/time.tsx'
import { classNames } from '../../ui/class-names.ts'
import { type Column, rowLinkClass } from '../../ui/table/table-parts.tsx'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import { TicketStateBadge } from './ticket-state-badge.tsx'
import { ticketStates } from './ticket-states.ts'

const columns = (): Column<Ticket>[] => [
  {
    key: 'subject',
    header: m.support_subject(),
    sortBy: ({ subject }) => subject,
    cell: (ticket) => <SubjectCell ticket={ticket} />,
    primary: true,
    skeleton: 'w-56',
  },
  {
    key: 'state',
    header: m.support_state(),
    sortBy: ({ state }) => states.indexOf(state),
    cell: ({ state }) => <TicketStateBadge state={state} />,
    inCompact: true,
    skeleton: 'w-20',
  },
  {
    key: 'updated',
    header: m.support_updated(),
    sortBy: ({ updatedAt }) => Date.parse(updatedAt),
    cell: ({ updatedAt }) => (
      <span className="text-muted max-sm:text-xs">
        <RelativeTime value={updatedAt} />
      </span>
    ),
    inCompact: true,
    skeleton: 'w-24',
  },
  {
    key: 'id',
    header: m.support_id(),
    // A UUIDv7 begins with its time, so ids sort by creation.
    sortBy: ({ id }) => id,
    cell: ({ id, subject }) => (
      <span className="relative">
        <ShortId id={id} label={m.support_copy_id({ subject })} />
      </span>
    ),
    skeleton: 'w-20',
  },
]

/** The subject; bold after a dot while a reply is unread. The link's target is the whole row. */
const SubjectCell = ({ ticket: { id, subject, unread } }: { ticket: Ticket }) => (
  // A table breaks words rather than grow: reserve space for subjects.
  <span className="inline-flex items-baseline gap-2 text-left sm:min-w-40">
    {unread && <span aria-hidden className="size-2 shrink-0 rounded-full bg-accent-fill" />}
    <Link
      to={paths.ticket(id)}
      title={subject}
      className={classNames(
        'rounded-md max-sm:line-clamp-2',
        unread ? 'font-semibold' : 'font-medium',
        rowLinkClass,
      )}
    >
      {unread && <VisuallyHidden>{m.support_unread()}: </VisuallyHidden>}
      {subject}
    </Link>
  </span>
)

const unread = 'unread'

const filters = (): RowFilter<Ticket>[] => [
  {
    key: 'state',
    label: m.support_state(),
    all: m.tables_all_states(),
    options: [
      ...states.map((value) => ({ value, label: ticketStates[value].label() })),
      { value: unread, label: m.support_unread() },
    ],
    matches: (ticket, value) => (value === unread ? ticket.unread : ticket.state === value),
  },
]

const definition = () => ({
  list: 'tickets',
  caption: m.support_list_caption(),
  searchLabel: m.tables_search_tickets(),
  totalLabel: (count: number) => m.tables_total_tickets({ count }),
  columns: columns(),
  filters: filters(),
  compact: true,
})

export const TicketTable = ({ tickets }: { tickets: readonly Ticket[] }) => (
  <ListTable
    {...definition()}
    rows={tickets}
    rowKey={({ id }) => id}
    searchIn={({ id, subject }) => [subject, { id }]}
  />
)

export const TicketTableSkeleton = () => <ListTableSkeleton {...definition()} />
