import type { Ticket } from '@slipway/contract/support'
import { formatDate, getLocale, m } from '@slipway/phrases'
import { useEffect, useRef, useState } from 'react'
import { paths } from '../../paths.ts'
import { ButtonLink } from '../../shell/navigation/link.tsx'
import { Alert } from '../../ui/alert.tsx'
import { Card } from '../../ui/card.tsx'
import { takeAlong } from './draft.ts'
import { SendBox } from './send-box.tsx'
import { closesAt, useClosingWatch } from './ticket-closing.ts'
import { useDraft } from './use-draft.ts'

/** What can be written in a ticket: a message, for some time after it was resolved too; then nothing more. */
export function TicketAnswer({ ticket }: { ticket: Ticket }) {
  const [refused, setRefused] = useState(false)
  useClosingWatch(ticket)
  const isClosed = ticket.closed || refused
  const [wasOpen] = useState(!isClosed)
  const until = closesAt(ticket)
  if (isClosed) return <Closed ticket={ticket} live={wasOpen} />
  return (
    <div className="grid gap-4">
      {until !== null && (
        <Alert kind="info">
          {m.support_resolved_until({ time: formatDate(until, getLocale(), 'dateTime') })}
        </Alert>
      )}
      <Card>
        <SendBox ticket={ticket} onClosed={() => setRefused(true)} />
      </Card>
    </div>
  )
}

/** The ticket takes no more messages. `live`: since just now. What was typed is still there to be copied. */
function Closed({ ticket, live }: { ticket: Ticket; live: boolean }) {
  const unsent = useDraft(ticket.id)
  const newTicket = useDraft('ticket')
  const { held } = unsent
  const notice = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // The box has gone, and the focus with it.
    if (live && document.activeElement === document.body)
      notice.current?.focus({ preventScroll: true })
  }, [live])

  return (
    <div ref={notice} tabIndex={-1} className="grid gap-4">
      <Alert
        kind="info"
        actions={
          <ButtonLink to={paths.createTicket()} onClick={() => takeAlong(unsent, newTicket)}>
            {m.support_create()}
          </ButtonLink>
        }
      >
        <p className="font-medium">{m.error_ticket_closed()}</p>
        <p>{m.support_closed_hint()}</p>
      </Alert>
      {held.text && (
        <Card title={m.support_unsent()}>
          <p className="whitespace-pre-wrap wrap-anywhere">{held.text}</p>
        </Card>
      )}
    </div>
  )
}
