import { leaveTeam, type TeamDetail } from '@slipway/contract/teams'
import { m } from '@slipway/phrases'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { call } from '../../api/client.ts'
import { isMissing } from '../../api/missing.ts'
import { teamQuery } from '../../api/queries.ts'
import { paths } from '../../paths.ts'
import { useIsOnPage } from '../../shell/navigation/is-on-page.ts'
import { ActionDialog } from '../../shell/page/action-dialog.tsx'
import { showToast } from '../../shell/toasts/toasts.ts'
import { Button } from '../../ui/button.tsx'
import { uncacheTeam } from './team-queries.ts'

/** Leaves the team after confirmation; `onLeaving` is called when it starts and when it fails. */
export function LeaveTeam({
  team: { id, name, owner },
  onLeaving,
}: {
  team: TeamDetail
  onLeaving: (leaving: boolean) => void
}) {
  const [open, setOpen] = useState(false)
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const readIsOnPage = useIsOnPage()

  async function leave() {
    onLeaving(true)
    try {
      await call(leaveTeam, { params: { id } })
    } catch (error) {
      // The owner has removed the user already: the goal is reached.
      if (!isMissing(error)) {
        onLeaving(false)
        throw error
      }
    }
    const isOnPage = readIsOnPage()
    uncacheTeam(queryClient, id)
    showToast('success', m.teams_left_toast({ team: name }))
    if (isOnPage) await navigate({ to: paths.teams(), replace: true })
    queryClient.removeQueries({ queryKey: teamQuery(id).queryKey })
  }

  return (
    <>
      <Button onClick={() => setOpen(true)}>{m.teams_leave()}</Button>
      <ActionDialog
        open={open}
        title={m.teams_leave_title({ team: name })}
        confirm={m.teams_leave()}
        action={leave}
        onClose={() => setOpen(false)}
      >
        <p>{m.teams_leave_warning({ owner: owner.name })}</p>
      </ActionDialog>
    </>
  )
}
