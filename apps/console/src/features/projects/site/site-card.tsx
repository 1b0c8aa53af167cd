import { type ProjectDetail, shownState } from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import type { ReactNode } from 'react'
import { classNames } from '../../../ui/class-names.ts'
import { showsSteps } from '../progress/project-progress.tsx'
import { projectStates } from '../project-states.ts'
import { SiteFacts, SiteFactsSkeleton } from './site-facts.tsx'
import { SitePicture, SitePictureSkeleton } from './site-picture.tsx'

const Frame = ({ picture, children }: { picture: ReactNode; children: ReactNode }) => (
  <section
    aria-label={m.projects_site()}
    className={classNames(
      'grid overflow-hidden rounded-md border border-line bg-surface',
      picture !== null && 'md:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]',
    )}
  >
    {picture !== null && <div className="min-h-48">{picture}</div>}
    <div className="grid min-w-0 content-center gap-5 p-4 sm:p-6">{children}</div>
  </section>
)

/**
 * The explanation of the project's state; none in a final state with a failure, which has its own,
 * none if the steps of the creation have it, and none for a deleted project, whose header has it.
 */
function StateHint({
  project,
  hasListDataOnly,
}: {
  project: ProjectDetail
  hasListDataOnly: boolean
}) {
  if (showsSteps(project, hasListDataOnly)) return null

  const { hint, isTransient, isEditable } = projectStates[shownState(project)]
  return hint && isEditable && (isTransient || !project.failure) ? (
    <p className="text-muted">{hint()}</p>
  ) : null
}

export const SiteCard = ({
  project,
  hasListDataOnly,
  showsPicture,
}: {
  project: ProjectDetail
  /** Only the list's data is loaded yet. */
  hasListDataOnly: boolean
  showsPicture: boolean
}) => (
  <Frame picture={showsPicture ? <SitePicture project={project} /> : null}>
    <StateHint project={project} hasListDataOnly={hasListDataOnly} />
    <SiteFacts project={project} hasListDataOnly={hasListDataOnly} isNarrow={showsPicture} />
  </Frame>
)

export const SiteCardSkeleton = () => (
  <Frame picture={<SitePictureSkeleton />}>
    <SiteFactsSkeleton />
  </Frame>
)
