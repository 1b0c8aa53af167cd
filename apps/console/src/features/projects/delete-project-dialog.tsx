import { deleteProject, type Project } from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import { useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { call } from '../../api/client.ts'
import { projectQuery } from '../../api/queries.ts'
import { useAction } from '../../forms/use-action.ts'
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
  const isAsked = useRef(false)
  const deletion = useAction(async () => {
    const deleting = await call(deleteProject, { params: { id: project.id } })
    isAsked.current = true
    showAnswered(queryClient, deleting)
    showToast('success', m.projects_deleting_toast({ name: deleting.name }))
  })

  async function confirm() {
    if (await deletion.run()) onClose()
    // Somebody else may have been faster: then the page is behind.
    else void queryClient.invalidateQueries({ queryKey: projectQuery(project.key).queryKey })
  }

  /** The menu that led here goes with what could be done, sooner or later than this dialog. */
  const focusAfter = () =>
    isAsked.current || !projectStates[project.state].editable
      ? document.querySelector<HTMLElement>('main h1')
      : null

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
