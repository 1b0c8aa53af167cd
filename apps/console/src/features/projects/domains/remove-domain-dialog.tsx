import { deleteDomain } from '@slipway/contract/domains'
import { m } from '@slipway/phrases'
import { useQueryClient } from '@tanstack/react-query'
import { call } from '../../../api/client.ts'
import { ActionDialog } from '../../../shell/page/action-dialog.tsx'
import { pageHeading } from '../../../shell/page/page-heading.ts'
import { showToast } from '../../../shell/toasts/toasts.ts'
import type { DomainOfProject } from './change-domain.ts'
import { refetchDomains } from './domain-queries.ts'

/** Removes a domain, after explaining the effect on its visitors. */
export function RemoveDomainDialog({
  domainOfProject: { project, domain },
  otherHost,
  open,
  onClose,
}: {
  domainOfProject: DomainOfProject
  /** Where visitors find the site afterwards. */
  otherHost: string
  open: boolean
  onClose: () => void
}) {
  const { displayHost: host, state } = domain
  const queryClient = useQueryClient()
  async function remove() {
    await call(deleteDomain, { params: { id: project.id, domainId: domain.id } })
    await refetchDomains(queryClient, project)
    showToast('success', m.domains_removed_toast({ host }), domain.id)
  }
  return (
    <ActionDialog
      open={open}
      title={m.domains_remove_title({ host })}
      confirm={m.domains_remove()}
      // The menu that opened it is removed with the domain.
      focusAfter={(isDone) => (isDone ? pageHeading() : null)}
      action={remove}
      onClose={onClose}
    >
      {state === 'active' ? (
        <p>{m.domains_remove_visitors({ host, other: otherHost })}</p>
      ) : (
        <p>{m.domains_remove_pending({ host })}</p>
      )}
      {state !== 'pending' && <p>{m.domains_remove_again()}</p>}
    </ActionDialog>
  )
}
