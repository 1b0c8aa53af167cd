import { m } from '@slipway/phrases'
import Plus from 'lucide-react/icons/plus'
import { paths } from '../../../paths.ts'
import { ButtonLink } from '../../../shell/navigation/link.tsx'
import { PageFrame } from '../../../shell/page/page-frame.tsx'
import { QueryView } from '../../../shell/page/query-view.tsx'
import { EmptyState } from '../../../ui/states.tsx'
import { useProjects } from '../project-queries.ts'
import { ProjectStateAnnouncer } from '../project-state-announcer.tsx'
import { ProjectTable, ProjectTableSkeleton } from './project-table.tsx'

const CreateProjectLink = () => (
  <ButtonLink to={paths.createProject()} variant="primary" icon={Plus}>
    {m.projects_create()}
  </ButtonLink>
)

export function Page() {
  const query = useProjects()
  return (
    <PageFrame
      // The empty state has this button already.
      actions={query.data?.length !== 0 && <CreateProjectLink />}
    >
      <ProjectStateAnnouncer projects={query.data} />
      <QueryView
        query={query}
        item={m.projects_item_list()}
        loading={<ProjectTableSkeleton />}
        empty={
          <EmptyState title={m.projects_empty()} action={<CreateProjectLink />}>
            {m.projects_empty_hint()}
          </EmptyState>
        }
      >
        {(projects) => <ProjectTable projects={projects} />}
      </QueryView>
    </PageFrame>
  )
}
