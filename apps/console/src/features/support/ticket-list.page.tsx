import type { Ticket } from '@slipway/contract/support'
import { formatList, getLocale, m } from '@slipway/phrases'
import Plus from 'lucide-react/icons/plus'
import { useEffect, useRef, useState } from 'react'
import { paths } from '../../paths.ts'
import { ButtonLink } from '../../shell/navigation/link.tsx'
import { PageFrame } from '../../shell/page/page-frame.tsx'
import { QueryView } from '../../shell/page/query-view.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { useTickets } from './ticket-queries.ts'
import { TicketTable, TicketTableSkeleton } from './ticket-table.tsx'

const CreateTicketLink = () => (
  <ButtonLink to={paths.createTicket()} variant="primary" icon={Plus}>
    {m.support_create()}
  </ButtonLink>
)

/** Announces new replies to screen readers while the list is open. */
function ReplyAnnouncer({ tickets }: { tickets: readonly Ticket[] | undefined }) {
  const previous = useRef<readonly Ticket[] | undefined>(undefined)
  const [announcement, setAnnouncement] = useState('')

  useEffect(() => {
    if (!tickets) return
    const previousTickets = previous.current
    previous.current = tickets
    const replied = tickets.filter(
      ({ id, unread }) =>
        unread && previousTickets?.find((ticket) => ticket.id === id)?.unread === false,
    )
    if (replied.length > 0)
      setAnnouncement(
        formatList(
          replied.map(({ subject }) => m.support_unread_announcement({ subject })),
          getLocale(),
          'narrow',
        ),
      )
  }, [tickets])

  return (
    <span role="status" className="sr-only">
      {announcement}
    </span>
  )
}

export function Page() {
  const query = useTickets()
  return (
    <PageFrame
      // The empty state has this button already.
      actions={query.data?.length !== 0 && <CreateTicketLink />}
    >
      <ReplyAnnouncer tickets={query.data} />
      <QueryView
        query={query}
        item={m.support_item_list()}
        loading={<TicketTableSkeleton />}
        empty={
          <EmptyState title={m.support_empty()} action={<CreateTicketLink />}>
            {m.support_empty_hint()}
          </EmptyState>
        }
      >
        {(tickets) => <TicketTable tickets={tickets} />}
      </QueryView>
    </PageFrame>
  )
}
