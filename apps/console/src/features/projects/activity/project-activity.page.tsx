import type { ProjectId } from '@slipway/contract/projects'
import { useInfiniteQuery } from '@tanstack/react-query'
import { projectActivityQuery } from '../../../api/activity-queries.ts'
import { PagedActivity } from '../../../shell/activity/paged-activity.tsx'
import { useParam } from '../../../shell/navigation/route-params.ts'
import { ProjectSubpage } from '../project-subpage.tsx'

const ActivityOf = ({ id }: { id: ProjectId }) => (
  <PagedActivity query={useInfiniteQuery(projectActivityQuery(id))} scope="project" />
)

export const Page = () => (
  <ProjectSubpage projectKey={useParam('projectKey')}>
    {({ id }) => <ActivityOf id={id} />}
  </ProjectSubpage>
)
