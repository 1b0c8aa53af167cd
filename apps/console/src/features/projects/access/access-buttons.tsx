import { type Project, shownState } from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import ExternalLink from 'lucide-react/icons/external-link'
import Pencil from 'lucide-react/icons/pencil'
import { type ButtonVariant, buttonClass } from '../../../ui/button.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { isEmpty, projectStates } from '../project-states.ts'
import { accessUrl, signsIn, siteUrl } from './access-url.ts'
import { OpenSite } from './open-site.tsx'

/**
 * Buttons that open a project's site and its editor. They keep their labels and sizes in every
 * state, so that nothing beside them moves; a deleted project has none. Before the first release,
 * the filled button of the page is the one that deploys.
 */
export function AccessButtons({
  project,
  isCompact,
}: {
  project: Project
  /** Only an icon that opens the site, once there is one. */
  isCompact: boolean
}) {
  const { name } = project
  return (
    <>
      {!isCompact && signsIn(project) && (
        <AccessButton
          project={project}
          url={accessUrl(project)}
          label={m.projects_open()}
          icon={Pencil}
          name={m.projects_open_named({ name })}
        />
      )}
      <AccessButton
        project={project}
        isCompact={isCompact}
        url={siteUrl(project)}
        label={m.projects_visit()}
        icon={ExternalLink}
        name={m.projects_visit_named({ name })}
        variant={isEmpty(project) ? 'secondary' : 'primary'}
      />
    </>
  )
}

function AccessButton({
  project,
  isCompact,
  url,
  label,
  icon: Icon,
  name,
  variant,
}: {
  project: Project
  isCompact?: boolean
  url: string | null
  label: string
  icon: typeof ExternalLink
  name: string
  variant?: ButtonVariant
}) {
  const { noSiteReason, isEditable } = projectStates[shownState(project)]
  if (url)
    return (
      <OpenSite
        url={url}
        name={name}
        title={url}
        className={isCompact ? buttonClass('secondary', true) : buttonClass(variant)}
      >
        {!isCompact && <span aria-hidden>{label}</span>}
        <Icon className="size-4" aria-hidden />
      </OpenSite>
    )
  if (!isEditable || isCompact) return null
  return (
    // biome-ignore lint/a11y/useValidAnchor: it has no URL yet
    <a
      role="link"
      aria-disabled="true"
      title={noSiteReason?.()}
      className={buttonClass('unavailable')}
    >
      {label}
      <Icon className="size-4" aria-hidden />
    </a>
  )
}

export const ActionsSkeleton = ({ isCompact }: { isCompact?: boolean }) => (
  <>
    {!isCompact && <Skeleton className="w-28 max-sm:flex-1" height="control-height" />}
    <Skeleton className="w-(--control-height)" height="control-height" />
  </>
)
