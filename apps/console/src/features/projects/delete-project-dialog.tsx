import { deleteProject, type Project } from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { call } from '../../api/client.ts'
import { projectQuery } from '../../api/queries.ts'
import { paths } from '../../paths.ts'
import { ActionDialog } from '../../shell/page/action-dialog.tsx'
import { pageHeading } from '../../shell/page/page-heading.ts'
import { useTeams } from '../../shell/session/account-context.ts'
import { siteHost } from './access/access-url.ts'
import { displayName } from './display-name.ts'
import { cacheProject } from './project-queries.ts'
import { projectStates } from './project-states.ts'
import { showProjectToast } from './project-toasts.ts'

function DeletionWarning({ project }: { project: Project }) {
  const team = useTeams().find(({ id }) => id === project.teamId)
  if (projectStates[project.state].noSiteReason) return <p>{m.projects_delete_warning_unbuilt()}</p>
  return (
    <>
      <p>{m.projects_delete_warning({ host: siteHost(project) })}</p>
      {team && <p>{m.projects_delete_for_all({ team: team.name })}</p>}
    </>
  )
}

/** Deletes a project after confirmation. If it has a site, the user must type its name. */
export function DeleteProjectDialog({
  project,
  open,
  onClose,
}: {
  project: Project
  open: boolean
  onClose: () => void
}) {
  const name = displayName(project)
  const hasSite = !projectStates[project.state].noSiteReason
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  async function remove() {
    const deleting = await call(deleteProject, { params: { id: project.id } })
    cacheProject(queryClient, deleting)
    showProjectToast(queryClient, 'deletion', deleting)
    // The overview shows the state of the deletion. The other tabs no longer have content.
    if (location.pathname.startsWith(`${paths.project(project.key)}/`))
      await navigate({ to: paths.projects(), replace: true })
  }

  /** The menu that opened this dialog may be removed before it closes. */
  const focusAfter = (isDone: boolean) =>
    isDone || !projectStates[project.state].isEditable ? pageHeading() : null

  return (
    <ActionDialog
      open={open}
      title={m.projects_delete_title({ name })}
      confirm={m.projects_delete_confirm()}
      typed={
        hasSite
          ? {
              label: m.projects_delete_type({ name }),
              expected: name,
              error: m.projects_delete_type_again({ name }),
            }
          : undefined
      }
      focusAfter={focusAfter}
      action={remove}
      // Another user may have deleted the project: refetch the project.
      onFailure={() =>
        void queryClient.invalidateQueries({ queryKey: projectQuery(project.key).queryKey })
      }
      onClose={onClose}
    >
      <DeletionWarning project={project} />
    </ActionDialog>
  )
}
