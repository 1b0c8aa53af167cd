import { m } from '@slipway/phrases'
import { useQueryClient } from '@tanstack/react-query'
import CornerUpRight from 'lucide-react/icons/corner-up-right'
import History from 'lucide-react/icons/history'
import { type FormEvent, useState } from 'react'
import { DialogActions } from '../../../forms/dialog-actions.tsx'
import { useAction } from '../../../forms/use-action.ts'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { ChoiceCards } from '../../../ui/field/choice-cards.tsx'
import { Form } from '../../../ui/field/form.tsx'
import { type DomainOfProject, makeRedirect } from './change-domain.ts'

const choices = () => [
  {
    value: '308' as const,
    label: m.domains_redirect_308(),
    description: m.domains_redirect_308_hint(),
    icon: CornerUpRight,
  },
  {
    value: '301' as const,
    label: m.domains_redirect_301(),
    description: m.domains_redirect_301_hint(),
    icon: History,
  },
]

function RedirectForm({
  domainOfProject,
  target,
  onClose,
}: {
  domainOfProject: DomainOfProject
  target: string
  onClose: () => void
}) {
  const { displayHost: host, redirectStatus } = domainOfProject.domain
  const queryClient = useQueryClient()
  const [status, setStatus] = useState<'301' | '308'>(redirectStatus === 301 ? '301' : '308')
  const action = useAction(async () => {
    await makeRedirect(queryClient, domainOfProject, status === '301' ? 301 : 308, target)
    onClose()
  })
  return (
    <Form
      onSubmit={(event: FormEvent) => {
        event.preventDefault()
        void action.run()
      }}
    >
      <p className="text-muted wrap-anywhere">{m.domains_redirect_text({ host, target })}</p>
      <ChoiceCards
        label={m.domains_redirect_kind()}
        choices={choices()}
        value={status}
        onChange={setStatus}
      />
      <DialogActions action={action} submit={m.domains_redirect_confirm()} onCancel={onClose} />
    </Form>
  )
}

/** Redirects a domain to the primary one, or changes the status of the redirect. */
export const RedirectDialog = ({
  domainOfProject,
  target,
  open,
  onClose,
}: {
  domainOfProject: DomainOfProject
  /** The primary domain in Unicode. */
  target: string
  open: boolean
  onClose: () => void
}) => (
  <Dialog
    open={open}
    wide
    title={m.domains_redirect_title({ host: domainOfProject.domain.displayHost })}
    closeLabel={m.shell_close()}
    onClose={onClose}
  >
    <RedirectForm domainOfProject={domainOfProject} target={target} onClose={onClose} />
  </Dialog>
)
