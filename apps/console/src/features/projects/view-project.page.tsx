import type { Project, ProjectDetail } from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import { lazy, Suspense, useDeferredValue } from 'react'
import { Card } from '../../ui/card.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { ProjectProgress, useWatchedCreation } from './progress/project-progress.tsx'
import { ProjectProblem } from './project-problem.tsx'
import { projectStates } from './project-states.ts'
import { ProjectTab } from './project-tab.tsx'
import { Deployment, DeploymentSkeleton } from './releases/deployment.tsx'
import { RecentReleases, RecentReleasesSkeleton } from './releases/recent-releases.tsx'
import { acceptsFiles } from './releases/upload/accepted-files.ts'
import { DayTraffic, DayTrafficSkeleton } from './site/day-traffic.tsx'
import { FirstLiveNotice } from './site/first-live-notice.tsx'
import { SiteCard, SiteCardSkeleton } from './site/site-card.tsx'

const MoveNotice = lazy(() => import('./move-notice.tsx'))
const VersionCard = lazy(() => import('./releases/version-card.tsx'))

const VersionCardSkeleton = () => (
  <Card title={m.release_version_title()}>
    <Skeleton className="h-11 w-64" />
  </Card>
)

/**
 * Changes a site: by files or an image, or by an update of the software that the service provides.
 */
const NextRelease = ({ project }: { project: Project }) =>
  acceptsFiles(project) || project.runtime === 'image' ? (
    <Deployment project={project} />
  ) : (
    <Suspense fallback={<VersionCardSkeleton />}>
      <VersionCard project={project} />
    </Suspense>
  )

const columnsClass = 'grid gap-6 lg:grid-cols-2'

function Overview({
  project,
  hasListDataOnly,
}: {
  project: ProjectDetail
  hasListDataOnly: boolean
}) {
  const isWatched = useWatchedCreation(project)
  const { state } = project
  return (
    <>
      {project.move && (
        <Suspense fallback={<Skeleton className="h-9.5 w-full" />}>
          <MoveNotice move={project.move} />
        </Suspense>
      )}
      <ProjectProblem project={project} />
      <ProjectProgress project={project} isWatched={isWatched} loading={hasListDataOnly} />
      <FirstLiveNotice project={project} isWatched={isWatched} />
      <SiteCard
        project={project}
        hasListDataOnly={hasListDataOnly}
        showsCreationDuration={!isWatched && state === 'ready'}
      />
      {projectStates[state].isEditable && (
        <>
          <NextRelease project={project} />
          <div className={columnsClass}>
            <RecentReleases project={project} />
            <DayTraffic project={project} />
          </div>
        </>
      )}
    </>
  )
}

const OverviewSkeleton = () => (
  <>
    <SiteCardSkeleton />
    <DeploymentSkeleton />
    <div className={columnsClass}>
      <RecentReleasesSkeleton />
      <DayTrafficSkeleton />
    </div>
  </>
)

/** The overview is the largest page: it renders in pieces, after the header has been painted. */
function DeferredOverview(props: Parameters<typeof Overview>[0]) {
  const isHeaderPainted = useDeferredValue(true, false)
  return isHeaderPainted ? <Overview {...props} /> : <OverviewSkeleton />
}

export const Page = () => (
  <ProjectTab isOverview loading={<OverviewSkeleton />}>
    {(project, hasListDataOnly) => (
      <DeferredOverview key={project.id} project={project} hasListDataOnly={hasListDataOnly} />
    )}
  </ProjectTab>
)
