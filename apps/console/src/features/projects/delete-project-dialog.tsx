import { deleteProject, type Project } from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import { useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { projectQuery } from '../../api/queries.ts'
import { useAction } from '../../forms/use-action.ts'
import { pageHeading } from '../../shell/page-heading.ts'
import { showToast } from '../../shell/toasts.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { showAnswered } from './project-queries.ts'
import { projectStates } from './project-states.ts'

/** Asks before a project is deleted, and deletes it. */
export function DeleteProjectDialog({
  project,
  open,
  onClose,
}: {
  project: Project
  open: boolean
  onClose: () => void
}) {
  const queryClient = useQueryClient()
  const deletion = useAction(async () => {
    const deleting = await call(deleteProject, { params: { id: project.id } })
    showAnswered(queryClient, deleting)
    showToast('success', m.projects_deleting_toast({ name: deleting.name }))
  })

  async function confirm() {
    const isDone = await deletion.run()
    // Somebody else may have been faster: then the page is behind.
    if (!isDone)
      void queryClient.invalidateQueries({ queryKey: projectQuery(project.key).queryKey })
    return isDone
  }

  /** The menu that led here goes with what could be done, sooner or later than this dialog. */
  const focusAfter = (isDone: boolean) =>
    isDone || !projectStates[project.state].editable ? pageHeading() : null

  return (
    <ConfirmDialog
      open={open}
      title={m.projects_delete_title({ name: project.name })}
      texts={{ confirm: m.projects_delete_confirm(), cancel: m.shell_cancel() }}
      pending={deletion.pending}
      failure={deletion.failure}
      focusAfter={focusAfter}
      onConfirm={confirm}
      onClose={() => {
        deletion.clear()
        onClose()
      }}
    >
      <p>
        {m.projects_delete_warning({ host: project.domain ?? new URL(project.defaultUrl).host })}
      </p>
    </ConfirmDialog>
  )
}
