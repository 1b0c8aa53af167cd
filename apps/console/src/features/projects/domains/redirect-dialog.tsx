import { m } from '@slipway/phrases'
import { useQueryClient } from '@tanstack/react-query'
import CornerUpRight from 'lucide-react/icons/corner-up-right'
import History from 'lucide-react/icons/history'
import { type FormEvent, useState } from 'react'
import { useAction } from '../../../forms/use-action.ts'
import { Alert } from '../../../ui/alert.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { ChoiceCards } from '../../../ui/field/choice-cards.tsx'
import { Form, FormActions } from '../../../ui/field/form.tsx'
import { type ChangedDomain, makeRedirect } from './change-domain.ts'

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
  changed,
  target,
  onClose,
}: {
  changed: ChangedDomain
  target: string
  onClose: () => void
}) {
  const { displayHost: host, redirectStatus } = changed.domain
  const queryClient = useQueryClient()
  const [status, setStatus] = useState<'301' | '308'>(redirectStatus === 301 ? '301' : '308')
  const action = useAction(async () => {
    await makeRedirect(queryClient, changed, status === '301' ? 301 : 308, target)
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
      {action.failure && <Alert kind="failure">{action.failure}</Alert>}
      <FormActions>
        <Button type="submit" variant="primary" pending={action.pending}>
          {m.domains_redirect_confirm()}
        </Button>
        <Button disabled={action.pending} onClick={onClose}>
          {m.shell_cancel()}
        </Button>
      </FormActions>
    </Form>
  )
}

/** Redirects a domain to the primary one, or changes how. */
export const RedirectDialog = ({
  changed,
  target,
  open,
  onClose,
}: {
  changed: ChangedDomain
  /** The primary domain as people write it. */
  target: string
  open: boolean
  onClose: () => void
}) => (
  <Dialog
    open={open}
    wide
    title={m.domains_redirect_title({ host: changed.domain.displayHost })}
    onClose={onClose}
  >
    <RedirectForm changed={changed} target={target} onClose={onClose} />
  </Dialog>
)
