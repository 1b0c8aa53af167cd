import { type Invitation, respondToInvitation } from '@slipway/contract/teams'
import { m } from '@slipway/phrases'
import { useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { isMissing } from '../../api/missing.ts'
import { invitationsQuery } from '../../api/queries.ts'
import { ActionDialog } from '../../shell/page/action-dialog.tsx'
import { pageHeading } from '../../shell/page/page-heading.ts'
import { showToast } from '../../shell/toasts/toasts.ts'
import { uncacheInvitation } from './team-queries.ts'

export function RejectInvitationDialog({
  invitation: { teamId, teamName: team, ownerName: owner },
  open,
  onClose,
}: {
  invitation: Invitation
  open: boolean
  onClose: () => void
}) {
  const queryClient = useQueryClient()
  async function reject() {
    try {
      await call(respondToInvitation, { body: { teamId, accept: false } })
    } catch (error) {
      // Already canceled: the goal is reached.
      if (!isMissing(error)) throw error
    }
    uncacheInvitation(queryClient, teamId)
    showToast('success', m.teams_rejected_toast({ team }))
  }
  const isListed = () =>
    queryClient
      .getQueryData(invitationsQuery.queryKey)
      ?.some((invitation) => invitation.teamId === teamId)

  return (
    <ActionDialog
      open={open}
      title={m.teams_reject_title({ team })}
      confirm={m.teams_reject_confirm()}
      focusAfter={(isDone) => (isListed() && !isDone ? null : pageHeading())}
      action={reject}
      onClose={onClose}
    >
      <p>{m.teams_reject_warning({ owner })}</p>
    </ActionDialog>
  )
}
