import type { Project } from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import ExternalLink from 'lucide-react/icons/external-link'
import type { ReactNode } from 'react'
import { type ButtonVariant, buttonClass } from '../../../ui/button.tsx'
import { linkClass } from '../../../ui/link-class.ts'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { VisuallyHidden } from '../../../ui/visually-hidden.tsx'
import { projectStates, shownState } from '../project-states.ts'
import { accessUrl, signsIn, siteUrl } from './access-url.ts'

const Closed = ({ project, className }: { project: Project; className: string }) => (
  // HTML's placeholder link: cannot be followed, but is announced as a link.
  // biome-ignore lint/a11y/useValidAnchor: it has no URL yet
  <a role="link" aria-disabled="true" className={className}>
    {projectStates[shownState(project)].noSiteReason?.()}
  </a>
)

const Open = ({
  url,
  name,
  className,
  children,
}: {
  url: string
  /** Names the site for screen readers. */
  name: string
  className: string
  /** The visible label. */
  children: ReactNode
}) => (
  <a href={url} target="_blank" rel="noopener" title={url} className={className}>
    {children}
    <VisuallyHidden>
      {name} ({m.shell_new_tab()})
    </VisuallyHidden>
  </a>
)

/**
 * Links to the sign-in of a project's site, or to a site without one, in a new tab. Without a site
 * it shows the reason instead.
 */
export function AccessLink({ project }: { project: Project }) {
  const { name } = project
  const url = accessUrl(project) ?? siteUrl(project)
  if (url === null)
    return <Closed project={project} className="text-muted wrap-normal lg:whitespace-nowrap" />
  const [label, named] = signsIn(project)
    ? [m.projects_open(), m.projects_open_named({ name })]
    : [m.projects_visit(), m.projects_visit_named({ name })]
  // If the label wraps, the icon stays with its last word.
  const lastWord = label.lastIndexOf(' ') + 1
  return (
    <Open url={url} name={named} className={`${linkClass} lg:whitespace-nowrap`}>
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
 * Buttons that open a project's site and its editor. They keep their labels and sizes in every
 * state, so that nothing beside them moves; a deleted project has none.
 */
export function AccessButtons({ project }: { project: Project }) {
  const { name } = project
  return (
    <>
      {signsIn(project) && (
        <AccessButton
          project={project}
          url={accessUrl(project)}
          label={m.projects_open()}
          name={m.projects_open_named({ name })}
        />
      )}
      <SiteButton project={project} variant="primary" />
    </>
  )
}

/** A button that opens a project's site. */
export const SiteButton = ({ project, variant }: { project: Project; variant?: ButtonVariant }) => (
  <AccessButton
    project={project}
    url={siteUrl(project)}
    label={m.projects_visit()}
    name={m.projects_visit_named({ name: project.name })}
    variant={variant}
  />
)

function AccessButton({
  project,
  url,
  label,
  name,
  variant,
}: {
  project: Project
  url: string | null
  label: string
  name: string
  variant?: ButtonVariant
}) {
  const { noSiteReason, isEditable } = projectStates[shownState(project)]
  if (url)
    return (
      <Open url={url} name={name} className={buttonClass(variant)}>
        <span aria-hidden>{label}</span>
        <ExternalLink className="size-4" aria-hidden />
      </Open>
    )
  if (!isEditable) return null
  return (
    // biome-ignore lint/a11y/useValidAnchor: it has no URL yet
    <a
      role="link"
      aria-disabled="true"
      title={noSiteReason?.()}
      className={buttonClass('unavailable')}
    >
      {label}
      <ExternalLink className="size-4" aria-hidden />
    </a>
  )
}

/** The buttons while the project loads. */
export const ActionsSkeleton = () => (
  <>
    <Skeleton className="control-height w-28" />
    <Skeleton className="control-height w-28" />
  </>
)
