import type { ProjectDetail } from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import type { ReactNode } from 'react'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { projectStates, shownState } from '../project-states.ts'
import { SiteFacts, SiteFactsSkeleton } from './site-facts.tsx'
import { SitePicture } from './site-picture.tsx'

const Frame = ({ picture, children }: { picture: ReactNode; children: ReactNode }) => (
  <section
    aria-label={m.projects_site()}
    className="grid overflow-hidden rounded-md border border-line bg-surface md:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]"
  >
    <div className="min-h-48">{picture}</div>
    <div className="grid min-w-0 content-center gap-5 p-4 sm:p-6">{children}</div>
  </section>
)

/** What happens in the project's state. In a final state a failure explains it. */
function StateHint({ project }: { project: ProjectDetail }) {
  const { hint, isTransient } = projectStates[shownState(project)]
  return hint && (isTransient || !project.failure) ? <p className="text-muted">{hint()}</p> : null
}

/** The site: how it looks, and what there is to know about it. */
export const SiteCard = ({
  project,
  isPartial,
  withCreation,
}: {
  project: ProjectDetail
  /** Only the list's data is loaded yet. */
  isPartial: boolean
  /** Shows the duration of the creation, unless the page shows it elsewhere. */
  withCreation: boolean
}) => (
  <Frame picture={<SitePicture project={project} />}>
    <StateHint project={project} />
    <SiteFacts project={project} isPartial={isPartial} withCreation={withCreation} />
  </Frame>
)

export const SiteCardSkeleton = () => (
  <Frame picture={<Skeleton className="h-full w-full rounded-none" />}>
    <SiteFactsSkeleton />
  </Frame>
)
