import type { Project, ProjectKey } from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import { visibleData } from '../../api/missing.ts'
import { useParam } from '../../shell/navigation/route-params.ts'
import { PageFrame } from '../../shell/page/page-frame.tsx'
import { QueryView } from '../../shell/page/query-view.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import { AccessButtons } from './access/access-link.tsx'
import { displayName } from './display-name.ts'
import { ProjectMetadata } from './metadata/project-metadata.tsx'
import { ProjectProgress, useWatchedCreation } from './progress/project-progress.tsx'
import { ProjectDetails, ProjectDetailsSkeleton } from './project-details.tsx'
import { ProjectMenu } from './project-menu.tsx'
import { ProjectMissing } from './project-missing.tsx'
import { ProjectProblem } from './project-problem.tsx'
import { useProject } from './project-queries.ts'
import { ProjectStateAnnouncer } from './project-state-announcer.tsx'
import { projectStates } from './project-states.ts'
import { ProjectTabs } from './project-tabs.tsx'
import { DeployCard, DeployCardSkeleton } from './releases/deploy-card.tsx'
import { takesFiles } from './releases/upload/deploy-zone.tsx'
import { VersionCard } from './releases/version-card.tsx'

/** How a site changes: by files, or by an update of what the service provides. */
const NextRelease = ({ project }: { project: Project }) =>
  takesFiles(project) ? <DeployCard project={project} /> : <VersionCard project={project} />

const HeadingSkeleton = () => (
  <>
    <Skeleton className="h-5 w-40" />
    <VisuallyHidden>{m.projects_project()}</VisuallyHidden>
  </>
)

function ViewProject({ projectKey }: { projectKey: ProjectKey }) {
  const query = useProject(projectKey)
  const project = visibleData(query)
  const isWatched = useWatchedCreation(project)
  return (
    <PageFrame
      title={project && displayName(project)}
      heading={query.isPending ? <HeadingSkeleton /> : undefined}
      actions={
        project ? (
          <>
            <AccessButtons project={project} />
            <ProjectMenu project={project} />
          </>
        ) : (
          query.isPending && (
            <>
              <Skeleton className="control-height w-28" />
              <Skeleton className="control-height w-28" />
            </>
          )
        )
      }
    >
      {(project || query.isPending) && <ProjectTabs projectKey={projectKey} />}
      <ProjectStateAnnouncer projects={query.data && [query.data]} />
      <QueryView
        query={query}
        item={m.projects_item_project()}
        loading={
          <>
            <DeployCardSkeleton />
            <ProjectDetailsSkeleton />
            <ProjectMetadata metadata={[]} loading />
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
            {projectStates[loadedProject.state].isEditable && (
              <NextRelease project={loadedProject} />
            )}
            <ProjectDetails
              project={loadedProject}
              withCreation={!isWatched && loadedProject.state === 'ready'}
            />
            <ProjectMetadata metadata={loadedProject.metadata} loading={query.isPlaceholderData} />
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
