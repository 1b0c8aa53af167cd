import type { Project, ProjectDetail } from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useDeferredValue, useState } from 'react'
import { Card } from '../../ui/card.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { ProjectProgress, useWatchedCreation } from './progress/project-progress.tsx'
import { ProjectProblem } from './project-problem.tsx'
import { isEmpty, projectStates } from './project-states.ts'
import { ProjectTab } from './project-tab.tsx'
import { DeploymentRow, DeploymentSkeleton, ReleaseProblem } from './releases/deployment.tsx'
import { RecentReleases, RecentReleasesSkeleton } from './releases/recent-releases.tsx'
import { releasesQuery, useReleases } from './releases/release-queries.ts'
import { acceptsFiles } from './releases/upload/accepted-files.ts'
import { DayTraffic, DayTrafficSkeleton } from './site/day-traffic.tsx'
import { FirstLiveNotice } from './site/first-live-notice.tsx'
import { SiteCard, SiteCardSkeleton } from './site/site-card.tsx'
import { trafficQuery } from './traffic/traffic-query.ts'

const CopyNotice = lazy(() => import('./copy-notice.tsx'))
const CheckedRelease = lazy(() => import('./releases/checked-release.tsx'))
const VersionCard = lazy(() => import('./releases/version-card.tsx'))

/** As high as the card on a wide screen, with the row below as high as the box it replaces. */
const CheckedReleaseSkeleton = () => <Skeleton className="w-full" height="h-52" />

const VersionCardSkeleton = () => (
  <Card title={m.release_version_title()}>
    <Skeleton className="w-64" height="h-11" />
  </Card>
)

/** True if customers deploy the releases: files or an image. */
const hasDeployments = (project: Project) => acceptsFiles(project) || project.runtime === 'image'

/** Deploys a release, or updates the software that the service provides. */
const NextRelease = ({ project, isFirst }: { project: Project; isFirst?: boolean }) =>
  hasDeployments(project) ? (
    <DeploymentRow project={project} isFirst={isFirst} />
  ) : (
    <Suspense fallback={<VersionCardSkeleton />}>
      <VersionCard project={project} />
    </Suspense>
  )

// One column takes no more than the width of the page.
const columnsClass = 'grid grid-cols-1 gap-6 lg:grid-cols-2'

function Overview({
  project,
  hasListDataOnly,
}: {
  project: ProjectDetail
  hasListDataOnly: boolean
}) {
  const isWatched = useWatchedCreation(project)
  const { state } = project
  const { isEditable } = projectStates[state]
  const isCreated = state === 'ready' || state === 'modifying'
  const isFirst = isEmpty(project) && hasDeployments(project)
  const releases = useReleases(project.id)
  const newest = releases.data?.items[0]
  const checked = isFirst && newest?.state === 'checking' ? newest : undefined
  // Stays where it was when the page was opened: nothing moves when the release goes live.
  const [startsWithDeployment] = useState(isFirst)
  return (
    <>
      {(project.move || project.isRestoring) && (
        <Suspense fallback={<Skeleton className="w-full" height="h-9.5" />}>
          <CopyNotice move={project.move} />
        </Suspense>
      )}
      <ProjectProblem project={project} />
      {isEditable && hasDeployments(project) && <ReleaseProblem projectId={project.id} />}
      <ProjectProgress project={project} isWatched={isWatched} loading={hasListDataOnly} />
      <FirstLiveNotice project={project} isWatched={isWatched} />
      {startsWithDeployment && isEditable && (
        <>
          {checked && (
            <Suspense fallback={<CheckedReleaseSkeleton />}>
              <CheckedRelease projectId={project.id} release={checked} />
            </Suspense>
          )}
          <NextRelease project={project} isFirst={isFirst && !checked} />
        </>
      )}
      <SiteCard
        project={project}
        hasListDataOnly={hasListDataOnly}
        showsPicture={
          project.picture !== null || !(startsWithDeployment || state === 'failed_creating')
        }
      />
      {isCreated && (
        <>
          {!startsWithDeployment && <NextRelease project={project} />}
          {/* Before the first release there is nothing to list, unless the list failed to load. */}
          {(!isFirst || !releases.data) && (
            <div className={columnsClass}>
              <RecentReleases project={project} />
              <DayTraffic project={project} />
            </div>
          )}
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

/**
 * The overview is the largest page: it renders in pieces, so that a slow phone responds meanwhile.
 * It waits for the first response about the releases: a failure or the first deployment at its top
 * would move all of it.
 */
function DeferredOverview(props: Parameters<typeof Overview>[0]) {
  const { project } = props
  const { isEditable } = projectStates[project.state]
  const waits = isEditable && hasDeployments(project)
  const { isPending, failureCount } = useQuery({ ...releasesQuery(project.id), enabled: waits })
  const [isReady, setIsReady] = useState(false)
  if (!isReady && (!waits || !isPending || failureCount > 0)) setIsReady(true)
  // React interrupts only the rendering of deferred values.
  const isShown = useDeferredValue(isReady, false)
  // Requested meanwhile.
  useQuery({
    ...trafficQuery(project.id, 'day'),
    enabled: isEditable,
    notifyOnChangeProps: [],
  })
  return isShown ? <Overview {...props} /> : <OverviewSkeleton />
}

export const Page = () => (
  <ProjectTab isOverview loading={<OverviewSkeleton />}>
    {(project, hasListDataOnly) => (
      <DeferredOverview key={project.id} project={project} hasListDataOnly={hasListDataOnly} />
    )}
  </ProjectTab>
)
