import type { Project, ProjectKey } from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import type { ReactNode } from 'react'
import { visibleData } from '../../api/missing.ts'
import { paths } from '../../paths.ts'
import { PageFrame } from '../../shell/page/page-frame.tsx'
import { QueryView } from '../../shell/page/query-view.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { ActionsSkeleton, SiteButton } from './access/access-link.tsx'
import { displayName } from './display-name.ts'
import { ProjectMenu } from './project-menu.tsx'
import { ProjectMissing } from './project-missing.tsx'
import { isFirstLoad, useProject } from './project-queries.ts'
import { ProjectStateBadge } from './project-state-badge.tsx'
import { shownState } from './project-states.ts'
import { ProjectTabs } from './project-tabs.tsx'

/** A page of a project besides its overview: breadcrumbs, tabs, and the project's states. */
export function ProjectSubpage({
  projectKey,
  children,
}: {
  projectKey: ProjectKey
  children: (project: Project) => ReactNode
}) {
  const query = useProject(projectKey)
  const project = visibleData(query)
  const isLoading = isFirstLoad(query)
  return (
    <PageFrame
      trail={[
        { to: paths.projects(), label: m.projects_title() },
        ...(project ? [{ to: paths.project(projectKey), label: displayName(project) }] : []),
      ]}
      badge={
        // The overview shows every state; the other pages show only unusual ones.
        project && shownState(project) !== 'ready' && <ProjectStateBadge project={project} />
      }
      actions={
        project ? (
          <>
            <SiteButton project={project} />
            <ProjectMenu project={project} />
          </>
        ) : (
          isLoading && <ActionsSkeleton />
        )
      }
    >
      {(project || isLoading) && <ProjectTabs projectKey={projectKey} />}
      <QueryView
        query={query}
        item={m.projects_item_project()}
        loading={<Skeleton className="h-40 w-full" />}
        missing={<ProjectMissing projectKey={projectKey} />}
      >
        {children}
      </QueryView>
    </PageFrame>
  )
}
