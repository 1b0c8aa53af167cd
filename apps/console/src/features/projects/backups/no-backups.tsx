import type { Project } from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import { paths } from '../../../paths.ts'
import { ButtonLink } from '../../../shell/navigation/link.tsx'
import { EmptyState } from '../../../ui/states.tsx'
import { projectStates } from '../project-states.ts'

export function NoBackups({ project, canBackUp }: { project: Project; canBackUp: boolean }) {
  const { isEditable } = projectStates[project.state]
  return (
    <EmptyState title={m.backups_none()}>
      {isEditable && (canBackUp ? m.backups_none_hint() : m.backups_none_unready())}
    </EmptyState>
  )
}

/** Instead of an empty list, for a site that writes no files, or none before its first release. */
export function NoContent({ project }: { project: Project }) {
  const { runtime, key } = project
  if (runtime !== 'static' && runtime !== 'image')
    return <NoBackups project={project} canBackUp={false} />
  return (
    <EmptyState
      title={m.backups_no_content()}
      action={<ButtonLink to={paths.releases(key)}>{m.release_show_all()}</ButtonLink>}
    >
      {m.backups_no_content_hint()}
    </EmptyState>
  )
}
