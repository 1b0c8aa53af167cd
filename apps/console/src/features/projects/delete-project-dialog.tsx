import { deleteProject, type Project } from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import { useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { projectQuery } from '../../api/queries.ts'
import { useAction } from '../../forms/use-action.ts'
import { pageHeading } from '../../shell/page/page-heading.ts'
import { useTeams } from '../../shell/session/account-context.ts'
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog.tsx'
import { shownName } from './display-name.ts'
import { showAnswered } from './project-queries.ts'
import { projectStates } from './project-states.ts'
import { tellOfProject } from './project-toasts.ts'

/** What goes with a project, in so many words. */
function Losses({ project }: { project: Project }) {
  const team = useTeams().find(({ id }) => id === project.teamId)
  if (projectStates[project.state].closed) return <p>{m.projects_delete_warning_unbuilt()}</p>
  return (
    <>
      <p>
        {m.projects_delete_warning({ host: project.domain ?? new URL(project.defaultUrl).host })}
      </p>
      {team && <p>{m.projects_delete_for_all({ team: team.name })}</p>}
    </>
  )
}

/** Asks before a project is deleted, for its name where there is a site to lose, and deletes it. */
export function DeleteProjectDialog({
  project,
  open,
  onClose,
}: {
  project: Project
  open: boolean
  onClose: () => void
}) {
  const name = shownName(project)
  const hasSite = !projectStates[project.state].closed
  const queryClient = useQueryClient()
  const deletion = useAction(async () => {
    const deleting = await call(deleteProject, { params: { id: project.id } })
    showAnswered(queryClient, deleting)
    tellOfProject(queryClient, 'deletion', deleting)
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
      title={m.projects_delete_title({ name })}
      texts={{ confirm: m.projects_delete_confirm(), cancel: m.shell_cancel() }}
      typed={
        hasSite
          ? {
              label: m.projects_delete_type({ name }),
              expected: name,
              error: m.projects_delete_type_again({ name }),
            }
          : undefined
      }
      pending={deletion.pending}
      failure={deletion.failure}
      focusAfter={focusAfter}
      onConfirm={confirm}
      onClose={() => {
        deletion.clear()
        onClose()
      }}
    >
      <Losses project={project} />
    </ConfirmDialog>
  )
}
