import { removeFromTeam, type TeamDetail } from '@slipway/contract/teams'
import { m } from '@slipway/phrases'
import { useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { isMissing } from '../../api/missing.ts'
import { ActionDialog } from '../../shell/page/action-dialog.tsx'
import { pageHeading } from '../../shell/page/page-heading.ts'
import { showToast } from '../../shell/toasts/toasts.ts'
import { cacheMembers } from './team-queries.ts'

export function RemoveUserDialog({
  team,
  user: { id: userId, name },
  open,
  onClose,
}: {
  team: TeamDetail
  user: TeamDetail['users'][number]
  open: boolean
  onClose: () => void
}) {
  const queryClient = useQueryClient()
  async function remove() {
    try {
      await call(removeFromTeam, { params: { teamId: team.id }, query: { userId } })
    } catch (error) {
      // Already left: the goal is reached.
      if (!isMissing(error)) throw error
    }
    cacheMembers(queryClient, team.id, ({ users, invited }) => ({
      users: users.filter(({ id }) => id !== userId),
      invited,
    }))
    showToast('success', m.teams_removed_toast({ name }))
  }
  const isListed = team.users.some(({ id }) => id === userId)

  return (
    <ActionDialog
      open={open}
      title={m.teams_remove_title({ name, team: team.name })}
      confirm={m.teams_remove_confirm()}
      focusAfter={(isDone) => (isListed && !isDone ? null : pageHeading())}
      action={remove}
      onClose={onClose}
    >
      <p>{m.teams_remove_warning({ name })}</p>
    </ActionDialog>
  )
}
