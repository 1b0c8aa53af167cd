import type { Project } from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import ExternalLink from 'lucide-react/icons/external-link'
import type { ReactNode } from 'react'
import { buttonClass } from '../../../ui/button.tsx'
import { linkClass } from '../../../ui/external-link.tsx'
import { VisuallyHidden } from '../../../ui/visually-hidden.tsx'
import { projectStates } from '../project-states.ts'
import { accessUrl, siteUrl } from './access-url.ts'

const Closed = ({ project, className }: { project: Project; className: string }) => (
  // HTML's placeholder link: it cannot be followed, and is still announced as a link.
  // biome-ignore lint/a11y/useValidAnchor: it has no address yet
  <a role="link" aria-disabled="true" className={className}>
    {projectStates[project.state].closed?.()}
  </a>
)

const Open = ({
  url,
  name,
  className,
  children,
}: {
  url: string
  /** Says which site, for whoever hears the link alone. */
  name: string
  className: string
  /** What is seen of it. */
  children: ReactNode
}) => (
  <a href={url} target="_blank" rel="noopener" title={url} className={className}>
    {children}
    <VisuallyHidden>
      {name} ({m.shell_new_tab()})
    </VisuallyHidden>
  </a>
)

/** Leads to the sign-in of a project's site, and so to its editor, in a new tab; while there is none, it says why. */
export function AccessLink({ project }: { project: Project }) {
  const url = accessUrl(project)
  if (url === null)
    return <Closed project={project} className="text-muted wrap-normal lg:whitespace-nowrap" />
  const label = m.projects_open()
  // Where the words take two lines, the icon goes with the last of them.
  const lastWord = label.lastIndexOf(' ') + 1
  return (
    <Open
      url={url}
      name={m.projects_open_named({ name: project.name })}
      className={`${linkClass} lg:whitespace-nowrap`}
    >
      <span aria-hidden>
        {label.slice(0, lastWord)}
        <span className="whitespace-nowrap">
          {label.slice(lastWord)}
          <ExternalLink className="ml-1 inline size-3.5 align-[-0.125em]" />
        </span>
      </span>
    </Open>
  )
}

/**
 * The ways to a project's site, as buttons: as its visitors see it, and to its editor. Their words and sizes
 * stay while the site comes and goes, so that nothing beside them moves; the page of a project that was
 * deleted has none.
 */
export function AccessButtons({ project }: { project: Project }) {
  const { name } = project
  return (
    <>
      <AccessButton
        project={project}
        url={siteUrl(project)}
        label={m.projects_visit()}
        name={m.projects_visit_named({ name })}
      />
      <AccessButton
        project={project}
        url={accessUrl(project)}
        label={m.projects_open()}
        name={m.projects_open_named({ name })}
      />
    </>
  )
}

function AccessButton({
  project,
  url,
  label,
  name,
}: {
  project: Project
  url: string | null
  label: string
  name: string
}) {
  const { closed, editable } = projectStates[project.state]
  if (url)
    return (
      <Open url={url} name={name} className={buttonClass()}>
        <span aria-hidden>{label}</span>
        <ExternalLink className="size-4" aria-hidden />
      </Open>
    )
  if (!editable) return null
  return (
    // biome-ignore lint/a11y/useValidAnchor: it has no address yet
    <a role="link" aria-disabled="true" title={closed?.()} className={buttonClass('unavailable')}>
      {label}
      <ExternalLink className="size-4" aria-hidden />
    </a>
  )
}
