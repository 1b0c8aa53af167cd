import { ApiError } from '@slipway/contract/client'
import { resolveTicket, type Ticket } from '@slipway/contract/support'
import { m } from '@slipway/phrases'
import { useQueryClient } from '@tanstack/react-query'
import Check from 'lucide-react/icons/check'
import { useState } from 'react'
import { call } from '../../api/client.ts'
import { ActionDialog } from '../../shell/page/action-dialog.tsx'
import { pageHeading } from '../../shell/page/page-heading.ts'
import { showToast } from '../../shell/toasts/toasts.ts'
import { Button } from '../../ui/button.tsx'
import { cacheTicket, invalidateTicket } from './ticket-queries.ts'

/** Marks an open ticket as resolved after confirmation; it cannot be reopened. */
export function MarkResolved({ ticket }: { ticket: Ticket }) {
  const { id, subject } = ticket
  const [isConfirming, setIsConfirming] = useState(false)
  const queryClient = useQueryClient()

  async function resolve() {
    try {
      cacheTicket(
        queryClient,
        await call(resolveTicket, { params: { id }, body: { state: 'resolved' } }),
      )
      showToast('success', m.support_resolved_toast())
    } catch (error) {
      // The ticket was resolved elsewhere, for example in another tab.
      if (!(error instanceof ApiError && error.code === 'ticket_already_resolved')) throw error
      invalidateTicket(queryClient, id)
    }
  }

  return (
    <>
      {ticket.state === 'open' && (
        <Button icon={Check} onClick={() => setIsConfirming(true)}>
          {m.support_resolve()}
        </Button>
      )}
      <ActionDialog
        open={isConfirming}
        title={m.support_resolve_title()}
        tone="primary"
        confirm={m.support_resolve()}
        // A resolved ticket has no button that opens the dialog.
        focusAfter={(isDone) => (isDone ? pageHeading() : null)}
        action={resolve}
        onClose={() => setIsConfirming(false)}
      >
        <p>{m.support_resolve_explanation({ subject })}</p>
      </ActionDialog>
    </>
  )
}
