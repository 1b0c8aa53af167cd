import { type Invitation, respondToInvitation } from '@slipway/contract/teams'
import { m } from '@slipway/phrases'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { call, causesRedirect } from '../../api/client.ts'
import { errorMessage } from '../../api/error-message.ts'
import { invitationsQuery } from '../../api/queries.ts'
import { useAction } from '../../forms/use-action.ts'
import { paths } from '../../paths.ts'
import { pageHeading } from '../../shell/page/page-heading.ts'
import { showToast } from '../../shell/toasts/toasts.ts'
import { Button } from '../../ui/button.tsx'
import { uncacheInvitation } from './team-queries.ts'

/**
 * Joins the team. Opens it after the last invitation; otherwise the list stays. `isOnPage` is the
 * page's own: an event may remove the row and this button before the response arrives.
 */
export function AcceptButton({
  invitation: { teamId, teamName },
  isOnPage,
}: {
  invitation: Invitation
  isOnPage: () => boolean
}) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()

  const acceptance = useAction(async () => {
    try {
      await call(respondToInvitation, { body: { teamId, accept: true } })
    } catch (error) {
      // A toast, because the invitation and this button may be gone.
      if (!causesRedirect(error)) showToast('failure', errorMessage(error))
      void queryClient.invalidateQueries({ queryKey: invitationsQuery.queryKey })
      return
    }
    const waiting = uncacheInvitation(queryClient, teamId)
    showToast('success', m.teams_accepted_toast({ team: teamName }))
    if (!isOnPage()) return
    if (waiting.length === 0) await navigate({ to: paths.team(teamId) })
    else pageHeading()?.focus()
  })

  return (
    <Button
      variant="primary"
      pending={acceptance.pending}
      aria-label={m.teams_accept_named({ team: teamName })}
      onClick={() => acceptance.run()}
    >
      {m.teams_accept()}
    </Button>
  )
}
