import type { Ticket } from '@slipway/contract/support'
import { formatDate, getLocale, m } from '@slipway/phrases'
import { useEffect, useRef, useState } from 'react'
import { paths } from '../../paths.ts'
import { ButtonLink } from '../../shell/navigation/link.tsx'
import { Alert } from '../../ui/alert.tsx'
import { Card } from '../../ui/card.tsx'
import { moveDraft } from './draft.ts'
import { SendBox } from './send-box.tsx'
import { closingTime, useRefetchOnClosing } from './ticket-closing.ts'
import { useDraft } from './use-draft.ts'

/** The form for a message, available for some time after a ticket is resolved; then a notice. */
export function TicketReply({ ticket }: { ticket: Ticket }) {
  const [wasRejected, setWasRejected] = useState(false)
  useRefetchOnClosing(ticket)
  const isClosed = ticket.closed || wasRejected
  const [wasOpen] = useState(!isClosed)
  const closesAt = closingTime(ticket)
  if (isClosed) return <Closed ticket={ticket} live={wasOpen} />
  return (
    <div className="grid gap-4">
      {closesAt !== null && (
        <Alert kind="info">
          {m.support_resolved_until({ time: formatDate(closesAt, getLocale(), 'dateTime') })}
        </Alert>
      )}
      <Card>
        <SendBox ticket={ticket} onClosed={() => setWasRejected(true)} />
      </Card>
    </div>
  )
}

/**
 * Says that the ticket is closed and shows the unsent text. `live` is true if it closed while the
 * page was open.
 */
function Closed({ ticket, live }: { ticket: Ticket; live: boolean }) {
  const unsent = useDraft(ticket.id)
  const newTicket = useDraft('ticket')
  const { fields } = unsent
  const notice = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // The removed form had the focus.
    if (live && document.activeElement === document.body)
      notice.current?.focus({ preventScroll: true })
  }, [live])

  return (
    <div ref={notice} tabIndex={-1} className="grid gap-4">
      <Alert
        kind="info"
        actions={
          <ButtonLink to={paths.createTicket()} onClick={() => moveDraft(unsent, newTicket)}>
            {m.support_create()}
          </ButtonLink>
        }
      >
        <p className="font-medium">{m.error_ticket_closed()}</p>
        <p>{m.support_closed_hint()}</p>
      </Alert>
      {fields.text && (
        <Card title={m.support_unsent()}>
          <p className="whitespace-pre-wrap wrap-anywhere">{fields.text}</p>
        </Card>
      )}
    </div>
  )
}
