import type { Project, ProjectKey } from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import { lazy, Suspense } from 'react'
import { visibleData } from '../../api/missing.ts'
import { useParam } from '../../shell/navigation/route-params.ts'
import { PageFrame } from '../../shell/page/page-frame.tsx'
import { QueryView } from '../../shell/page/query-view.tsx'
import { Card } from '../../ui/card.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import { AccessButtons, ActionsSkeleton } from './access/access-link.tsx'
import { displayName } from './display-name.ts'
import { ProjectProgress, useWatchedCreation } from './progress/project-progress.tsx'
import { ProjectDetails, ProjectDetailsSkeleton } from './project-details.tsx'
import { ProjectMenu } from './project-menu.tsx'
import { ProjectMissing } from './project-missing.tsx'
import { ProjectProblem } from './project-problem.tsx'
import { isFirstLoad, useProject } from './project-queries.ts'
import { ProjectStateAnnouncer } from './project-state-announcer.tsx'
import { projectStates } from './project-states.ts'
import { ProjectTabs } from './project-tabs.tsx'
import { DeployCard, DeployCardSkeleton } from './releases/deploy-card.tsx'
import { takesFiles } from './releases/upload/deploy-zone.tsx'
import { LiveMoment } from './site/live-moment.tsx'
import { SiteCard, SiteCardSkeleton } from './site/site-card.tsx'
import { SiteTile } from './site/site-tile.tsx'

const VersionCard = lazy(() => import('./releases/version-card.tsx'))

const VersionCardSkeleton = () => (
  <Card title={m.release_version_title()}>
    <Skeleton className="h-11 w-64" />
  </Card>
)

/** How a site changes: by files, or by an update of what the service provides. */
const NextRelease = ({ project }: { project: Project }) =>
  takesFiles(project) ? (
    <DeployCard project={project} />
  ) : (
    <Suspense fallback={<VersionCardSkeleton />}>
      <VersionCard project={project} />
    </Suspense>
  )

const Heading = ({ project }: { project: Project }) => (
  <span className="flex items-center gap-3">
    <SiteTile project={project} large />
    <span className="min-w-0 text-2xl">{displayName(project)}</span>
  </span>
)

const HeadingSkeleton = () => (
  <>
    <span className="flex h-9 items-center gap-3">
      <Skeleton className="h-9 w-9" />
      <Skeleton className="h-6 w-40" />
    </span>
    <VisuallyHidden>{m.projects_project()}</VisuallyHidden>
  </>
)

function ViewProject({ projectKey }: { projectKey: ProjectKey }) {
  const query = useProject(projectKey)
  const project = visibleData(query)
  const isLoading = isFirstLoad(query)
  const isWatched = useWatchedCreation(project)
  return (
    <PageFrame
      title={project && displayName(project)}
      heading={project ? <Heading project={project} /> : isLoading && <HeadingSkeleton />}
      actions={
        project ? (
          <>
            <AccessButtons project={project} />
            <ProjectMenu project={project} />
          </>
        ) : (
          isLoading && <ActionsSkeleton />
        )
      }
    >
      {(project || isLoading) && <ProjectTabs projectKey={projectKey} />}
      <ProjectStateAnnouncer projects={query.data && [query.data]} />
      <QueryView
        query={query}
        item={m.projects_item_project()}
        loading={
          <>
            <SiteCardSkeleton />
            <DeployCardSkeleton />
            <ProjectDetailsSkeleton />
          </>
        }
        missing={<ProjectMissing projectKey={projectKey} />}
      >
        {(loadedProject) => (
          <>
            <ProjectProblem project={loadedProject} />
            <ProjectProgress
              project={loadedProject}
              isWatched={isWatched}
              loading={query.isPlaceholderData}
            />
            <LiveMoment project={loadedProject} isWatched={isWatched} />
            <SiteCard project={loadedProject} loading={query.isPlaceholderData} />
            {projectStates[loadedProject.state].isEditable && (
              <NextRelease project={loadedProject} />
            )}
            <ProjectDetails
              project={loadedProject}
              withCreation={!isWatched && loadedProject.state === 'ready'}
            />
          </>
        )}
      </QueryView>
    </PageFrame>
  )
}

export function Page() {
  const key = useParam('projectKey')
  // The key resets the page's state, such as unsaved edits, when the project changes.
  return <ViewProject key={key} projectKey={key} />
}
