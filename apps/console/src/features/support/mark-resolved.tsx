import { ApiError } from '@slipway/contract/client'
import { resolveTicket, type Ticket } from '@slipway/contract/support'
import { m } from '@slipway/phrases'
import { useQueryClient } from '@tanstack/react-query'
import Check from 'lucide-react/icons/check'
import { useState } from 'react'
import { call } from '../../api/client.ts'
import { useAction } from '../../forms/use-action.ts'
import { pageHeading } from '../../shell/page/page-heading.ts'
import { showToast } from '../../shell/toasts/toasts.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog.tsx'
import { cacheTicket, invalidateTicket } from './ticket-queries.ts'

/** Marks an open ticket as resolved after confirmation; it cannot be reopened. */
export function MarkResolved({ ticket }: { ticket: Ticket }) {
  const { id, subject } = ticket
  const [isConfirming, setIsConfirming] = useState(false)
  const queryClient = useQueryClient()

  const resolution = useAction(async () => {
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
  })

  return (
    <>
      {ticket.state === 'open' && (
        <Button icon={Check} onClick={() => setIsConfirming(true)}>
          {m.support_resolve()}
        </Button>
      )}
      <ConfirmDialog
        open={isConfirming}
        title={m.support_resolve_title()}
        tone="primary"
        texts={{ confirm: m.support_resolve(), cancel: m.shell_cancel() }}
        pending={resolution.pending}
        failure={resolution.failure}
        // A resolved ticket has no button that opens the dialog.
        focusAfter={(isDone) => (isDone ? pageHeading() : null)}
        onConfirm={resolution.run}
        onClose={() => {
          resolution.clear()
          setIsConfirming(false)
        }}
      >
        <p>{m.support_resolve_explanation({ subject })}</p>
      </ConfirmDialog>
    </>
  )
}
