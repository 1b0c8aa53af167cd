import type { Project } from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import ExternalLink from 'lucide-react/icons/external-link'
import Pencil from 'lucide-react/icons/pencil'
import type { ReactNode } from 'react'
import { type ButtonVariant, buttonClass } from '../../../ui/button.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { Tooltip } from '../../../ui/tooltip.tsx'
import { VisuallyHidden } from '../../../ui/visually-hidden.tsx'
import { projectStates, shownState } from '../project-states.ts'
import { accessUrl, signsIn, siteUrl } from './access-url.ts'

const Open = ({
  url,
  name,
  title,
  className,
  children,
}: {
  url: string
  /** Names the site for screen readers. */
  name: string
  title?: string
  className: string
  /** The visible label. */
  children: ReactNode
}) => (
  <a href={url} target="_blank" rel="noopener" title={title} className={className}>
    {children}
    <VisuallyHidden>
      {name} ({m.shell_new_tab()})
    </VisuallyHidden>
  </a>
)

/** Icons that open the site, and its editor if it has one, in a new tab; none without a site. */
export function AccessIcons({ project }: { project: Project }) {
  const { name } = project
  const [site, editor] = [siteUrl(project), accessUrl(project)]
  if (site === null) return null
  return (
    // The icons end where the padding of the cell begins. They do not make the row higher.
    <span className="relative -mx-2 flex pointer-coarse:-my-2">
      {editor !== null && (
        <IconLink
          url={editor}
          icon={Pencil}
          label={m.projects_open()}
          name={m.projects_open_named({ name })}
        />
      )}
      <IconLink
        url={site}
        icon={ExternalLink}
        label={m.projects_visit()}
        name={m.projects_visit_named({ name })}
      />
    </span>
  )
}

const IconLink = ({
  url,
  icon: Icon,
  label,
  name,
}: {
  url: string
  icon: typeof ExternalLink
  label: string
  name: string
}) => (
  <Tooltip text={label}>
    <Open url={url} name={name} className={buttonClass('quiet', true)}>
      <Icon className="size-4" aria-hidden />
    </Open>
  </Tooltip>
)

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
      <Open url={url} name={name} title={url} className={buttonClass(variant)}>
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
