import type { Project, SuspensionReason } from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import { useQueryClient } from '@tanstack/react-query'
import { useAction } from '../../../forms/use-action.ts'
import { paths } from '../../../paths.ts'
import { ButtonLink } from '../../../shell/navigation/link.tsx'
import { pageHeading } from '../../../shell/page/page-heading.ts'
import { Alert } from '../../../ui/alert.tsx'
import { Button } from '../../../ui/button.tsx'
import { startProject } from './change-power.ts'

const reasons: Record<SuspensionReason, { reason: () => string; action: () => string }> = {
  unpaid: {
    reason: () => m.projects_suspended_unpaid(),
    action: () => m.projects_suspended_unpaid_action(),
  },
  abuse: {
    reason: () => m.projects_suspended_abuse(),
    action: () => m.projects_suspended_abuse_action(),
  },
}

/** The reason for the suspension, its effect and its remedy. */
export function SuspensionNotice({ project: { suspension } }: { project: Project }) {
  if (!suspension) return null
  const { reason, action } = reasons[suspension]
  return (
    <Alert
      kind="failure"
      actions={
        <div className="grid w-full gap-2 sm:flex">
          {suspension === 'unpaid' && (
            <ButtonLink to={paths.invoices()}>{m.projects_email_suspended_pay()}</ButtonLink>
          )}
          <ButtonLink to={paths.createTicket()}>{m.projects_step_open_ticket()}</ButtonLink>
        </div>
      }
    >
      <p className="font-medium">{reason()}</p>
      <p>{action()}</p>
      <p>{m.projects_suspended_meaning()}</p>
    </Alert>
  )
}

/** Explains that visitors see a notice instead of the site, and starts it. */
export function StopNotice({ project }: { project: Project }) {
  const queryClient = useQueryClient()
  const start = useAction(async () => {
    await startProject(queryClient, project)
    // The button is removed with the notice.
    pageHeading()?.focus()
  })
  return (
    <Alert
      kind="info"
      actions={
        <Button pending={start.pending} onClick={() => start.run()}>
          {m.projects_start()}
        </Button>
      }
    >
      <p>{m.projects_hint_stopped()}</p>
      {start.failure && <p className="mt-2 text-danger">{start.failure}</p>}
    </Alert>
  )
}
