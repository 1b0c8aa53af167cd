import { m } from '@slipway/phrases'
import { visibleData } from '../../../api/missing.ts'
import { paths } from '../../../paths.ts'
import { useParam } from '../../../shell/navigation/route-params.ts'
import { PageFrame } from '../../../shell/page/page-frame.tsx'
import { QueryView } from '../../../shell/page/query-view.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { displayName } from '../display-name.ts'
import { ProjectMissing } from '../project-missing.tsx'
import { useProject } from '../project-queries.ts'
import { ProjectTabs } from '../project-tabs.tsx'
import { EnvironmentCard } from './environment-card.tsx'

export function Page() {
  const key = useParam('projectKey')
  const query = useProject(key)
  const project = visibleData(query)
  return (
    <PageFrame
      trail={[
        { to: paths.projects(), label: m.projects_title() },
        ...(project ? [{ to: paths.project(key), label: displayName(project) }] : []),
      ]}
    >
      {project && <ProjectTabs projectKey={key} />}
      <QueryView
        query={query}
        item={m.projects_item_project()}
        loading={<Skeleton className="h-40 w-full" />}
        missing={<ProjectMissing projectKey={key} />}
      >
        {(loaded) => <EnvironmentCard key={loaded.id} project={loaded} />}
      </QueryView>
    </PageFrame>
  )
}
