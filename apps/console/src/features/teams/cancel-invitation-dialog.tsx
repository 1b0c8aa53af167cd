import { cancelInvitation, type TeamDetail } from '@slipway/contract/teams'
import { m } from '@slipway/phrases'
import { useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { useAction } from '../../forms/use-action.ts'
import { pageHeading } from '../../shell/page/page-heading.ts'
import { showToast } from '../../shell/toasts/toasts.ts'
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog.tsx'
import { cacheMembers } from './team-queries.ts'

/** Cancels an invitation after confirmation. */
export function CancelInvitationDialog({
  team,
  email,
  open,
  onClose,
}: {
  team: TeamDetail
  email: string
  open: boolean
  onClose: () => void
}) {
  const queryClient = useQueryClient()
  const cancellation = useAction(async () => {
    await call(cancelInvitation, { query: { teamId: team.id, email } })
    cacheMembers(queryClient, team.id, ({ users, invited }) => ({
      users,
      invited: invited.filter((invitation) => invitation.email !== email),
    }))
    showToast('success', m.teams_cancelled_toast({ email }))
  })
  const isListed = team.invited.some((invitation) => invitation.email === email)

  async function confirm() {
    const isDone = await cancellation.run()
    // The invitation may have been accepted: refetch the members.
    if (!isDone) cacheMembers(queryClient, team.id, (invitation) => invitation)
    return isDone
  }

  return (
    <ConfirmDialog
      open={open}
      title={m.teams_cancel_title({ email })}
      texts={{ confirm: m.teams_cancel(), cancel: m.teams_cancel_keep() }}
      pending={cancellation.pending}
      failure={cancellation.failure}
      focusAfter={(isDone) => (isListed && !isDone ? null : pageHeading())}
      onConfirm={confirm}
      onClose={() => {
        cancellation.clear()
        onClose()
      }}
    >
      <p>{m.teams_cancel_warning({ email, team: team.name })}</p>
    </ConfirmDialog>
  )
}
