import type { Project } from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import { paths } from '../../../paths.ts'
import { ButtonLink } from '../../../shell/navigation/link.tsx'
import { buttonClass } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/states.tsx'
import { accessUrl } from '../access/access-url.ts'
import { OpenSite } from '../access/open-site.tsx'
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
  if (runtime === 'static' || runtime === 'image')
    return (
      <EmptyState
        title={m.backups_no_content()}
        action={<ButtonLink to={paths.releases(key)}>{m.release_show_all()}</ButtonLink>}
      >
        {m.backups_no_content_hint()}
      </EmptyState>
    )
  if (runtime !== 'starter') return <NoBackups project={project} canBackUp={false} />
  const editor = accessUrl(project)
  return (
    <EmptyState
      title={m.backups_starter()}
      action={
        editor && (
          <OpenSite
            url={editor}
            name={m.projects_open_named({ name: project.name })}
            className={buttonClass()}
          >
            <span aria-hidden>{m.projects_open()}</span>
          </OpenSite>
        )
      }
    >
      {m.backups_starter_hint()}
    </EmptyState>
  )
}
