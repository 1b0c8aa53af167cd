import type { Project, SuspensionReason } from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import { paths } from '../../../paths.ts'
import { ButtonLink } from '../../../shell/navigation/link.tsx'
import { Alert } from '../../../ui/alert.tsx'

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
export default function SuspensionNotice({ project: { suspension } }: { project: Project }) {
  if (!suspension) return null
  const { reason, action } = reasons[suspension]
  return (
    <Alert
      kind="failure"
      actions={
        <div className="grid w-full gap-2 sm:flex">
          {suspension === 'unpaid' && (
            <ButtonLink variant="primary" to={paths.payInvoices()}>
              {m.invoices_overview_pay()}
            </ButtonLink>
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
