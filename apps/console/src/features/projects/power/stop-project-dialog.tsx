import type { Project } from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import { useQueryClient } from '@tanstack/react-query'
import { useAction } from '../../../forms/use-action.ts'
import { pageHeading } from '../../../shell/page/page-heading.ts'
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx'
import { siteHost } from '../access/access-url.ts'
import { displayName } from '../display-name.ts'
import { stopProject } from './change-power.ts'

/** Stops the site of a project, after saying what visitors will see and what is billed. */
export function StopProjectDialog({
  project,
  open,
  onClose,
}: {
  project: Project
  open: boolean
  onClose: () => void
}) {
  const queryClient = useQueryClient()
  const stop = useAction(() => stopProject(queryClient, project))
  return (
    <ConfirmDialog
      open={open}
      title={m.projects_stop_title({ name: displayName(project) })}
      texts={{ confirm: m.projects_stop_confirm(), cancel: m.shell_cancel() }}
      pending={stop.pending}
      failure={stop.failure}
      // The button that opened it may be replaced.
      focusAfter={(isDone) => (isDone ? pageHeading() : null)}
      onConfirm={stop.run}
      onClose={() => {
        stop.clear()
        onClose()
      }}
    >
      <p>{m.projects_stop_visitors({ host: siteHost(project) })}</p>
      <p>{m.projects_stop_billing()}</p>
    </ConfirmDialog>
  )
}
