import type { ProjectKey } from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import { Outlet } from '@tanstack/react-router'
import { visibleData } from '../../api/missing.ts'
import { paths } from '../../paths.ts'
import { Breadcrumbs } from '../../shell/navigation/breadcrumbs.tsx'
import { useParam } from '../../shell/navigation/route-params.ts'
import { displayName } from './display-name.ts'
import { ProjectHeader, ProjectHeaderSkeleton } from './project-header.tsx'
import { isFirstLoad, useProject } from './project-queries.ts'
import { ProjectStateAnnouncer } from './project-state-announcer.tsx'
import { ProjectTabs } from './project-tabs.tsx'

/** The same header and tabs on every page of a project. A page without a project says why. */
function ProjectFrame({ projectKey }: { projectKey: ProjectKey }) {
  const query = useProject(projectKey)
  const project = visibleData(query)
  const isShown = project !== undefined || isFirstLoad(query)
  return (
    <div className="grid gap-6">
      {isShown && (
        <>
          <div className="grid min-w-0 gap-3">
            <Breadcrumbs
              trail={[{ to: paths.projects(), label: m.projects_title() }]}
              title={project ? displayName(project) : m.projects_project()}
            />
            {project ? (
              <ProjectHeader project={project} />
            ) : (
              <ProjectHeaderSkeleton projectKey={projectKey} />
            )}
          </div>
          <ProjectTabs projectKey={projectKey} />
        </>
      )}
      <ProjectStateAnnouncer projects={query.data && [query.data]} />
      <Outlet />
    </div>
  )
}

export function Page() {
  const key = useParam('projectKey')
  // The key resets unsaved edits when the project changes.
  return <ProjectFrame key={key} projectKey={key} />
}
