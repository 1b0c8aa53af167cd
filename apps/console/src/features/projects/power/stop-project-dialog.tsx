import type { Project } from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import { useQueryClient } from '@tanstack/react-query'
import { ActionDialog } from '../../../shell/page/action-dialog.tsx'
import { pageHeading } from '../../../shell/page/page-heading.ts'
import { siteHost } from '../access/access-url.ts'
import { displayName } from '../display-name.ts'
import { stopProject } from './change-power.ts'

/** Stops the site of a project, after explaining the effect on visitors and billing. */
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
  const stop = () => stopProject(queryClient, project)
  return (
    <ActionDialog
      open={open}
      title={m.projects_stop_title({ name: displayName(project) })}
      confirm={m.projects_stop_confirm()}
      // The button that opened it may be replaced.
      focusAfter={(isDone) => (isDone ? pageHeading() : null)}
      action={stop}
      onClose={onClose}
    >
      <p>{m.projects_stop_visitors({ host: siteHost(project) })}</p>
      <p>{m.projects_stop_billing()}</p>
    </ActionDialog>
  )
}
