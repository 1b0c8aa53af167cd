import type { Project } from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import ExternalLink from 'lucide-react/icons/external-link'
import { buttonClass } from '../../ui/button.tsx'
import { linkClass } from '../../ui/external-link.tsx'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import { accessUrl } from './access-url.ts'
import { projectStates } from './project-states.ts'

const Closed = ({ project, className }: { project: Project; className: string }) => (
  // HTML's placeholder link: it cannot be followed, and is still announced as a link.
  // biome-ignore lint/a11y/useValidAnchor: it has no address yet
  <a role="link" aria-disabled="true" className={className}>
    {projectStates[project.state].closed?.()}
  </a>
)

const Open = ({
  project,
  url,
  className,
  iconClass,
}: {
  project: Project
  url: string
  className: string
  iconClass: string
}) => (
  <a href={url} target="_blank" rel="noopener" title={url} className={className}>
    <span aria-hidden>{m.projects_open()}</span>
    <VisuallyHidden>
      {m.projects_open_named({ name: project.name })} ({m.shell_new_tab()})
    </VisuallyHidden>
    <ExternalLink className={iconClass} aria-hidden />
  </a>
)

/** Leads to the sign-in of a project's site, and so to its editor, in a new tab; while there is none, it says why. */
export function AccessLink({ project }: { project: Project }) {
  const url = accessUrl(project)
  if (url === null)
    return <Closed project={project} className="text-muted wrap-normal lg:whitespace-nowrap" />
  return (
    <Open
      project={project}
      url={url}
      className={`${linkClass} whitespace-nowrap`}
      iconClass="ml-1 inline size-3.5 align-[-0.125em]"
    />
  )
}

/**
 * The same as a button. Its words and its size stay while the site comes and goes, so that nothing beside
 * it moves; the page of a project that was deleted has none.
 */
export function AccessButton({ project }: { project: Project }) {
  const { closed, editable } = projectStates[project.state]
  const url = accessUrl(project)
  if (url) return <Open project={project} url={url} className={buttonClass()} iconClass="size-4" />
  if (!editable) return null
  return (
    // biome-ignore lint/a11y/useValidAnchor: it has no address yet
    <a role="link" aria-disabled="true" title={closed?.()} className={buttonClass('unavailable')}>
      {m.projects_open()}
      <ExternalLink className="size-4" aria-hidden />
    </a>
  )
}
