import { cancelInvitation, type TeamDetail } from '@slipway/contract/teams'
import { m } from '@slipway/phrases'
import { useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { ActionDialog } from '../../shell/page/action-dialog.tsx'
import { pageHeading } from '../../shell/page/page-heading.ts'
import { showToast } from '../../shell/toasts/toasts.ts'
import { cacheMembers } from './team-queries.ts'

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
  async function cancel() {
    await call(cancelInvitation, { query: { teamId: team.id, email } })
    cacheMembers(queryClient, team.id, ({ users, invited }) => ({
      users,
      invited: invited.filter((invitation) => invitation.email !== email),
    }))
    showToast('success', m.teams_cancelled_toast({ email }))
  }
  const isListed = team.invited.some((invitation) => invitation.email === email)

  return (
    <ActionDialog
      open={open}
      title={m.teams_cancel_title({ email })}
      confirm={m.teams_cancel()}
      cancel={m.teams_cancel_keep()}
      focusAfter={(isDone) => (isListed && !isDone ? null : pageHeading())}
      action={cancel}
      // The invitation may have been accepted: refetch the members.
      onFailure={() => cacheMembers(queryClient, team.id, (invitation) => invitation)}
      onClose={onClose}
    >
      <p>{m.teams_cancel_warning({ email, team: team.name })}</p>
    </ActionDialog>
  )
}
