import { m } from '@slipway/phrases'
import { useQueryClient } from '@tanstack/react-query'
import { ActionDialog } from '../../../shell/page/action-dialog.tsx'
import { type DomainOfProject, setHsts } from './change-domain.ts'

/** Turns HSTS on or off, after a warning about how long browsers store it. */
export function HstsDialog({
  domainOfProject,
  open,
  onClose,
}: {
  domainOfProject: DomainOfProject
  open: boolean
  onClose: () => void
}) {
  const { hsts, displayHost: host } = domainOfProject.domain
  const queryClient = useQueryClient()
  const action = () => setHsts(queryClient, domainOfProject, !hsts)
  const texts = hsts
    ? {
        title: m.domains_hsts_off_title({ host }),
        text: m.domains_hsts_off_text(),
        confirm: m.domains_hsts_off(),
      }
    : {
        title: m.domains_hsts_on_title({ host }),
        text: m.domains_hsts_on_text({ host }),
        confirm: m.domains_hsts_on(),
      }
  return (
    <ActionDialog
      open={open}
      tone="primary"
      title={texts.title}
      confirm={texts.confirm}
      action={action}
      onClose={onClose}
    >
      <p>{texts.text}</p>
    </ActionDialog>
  )
}
