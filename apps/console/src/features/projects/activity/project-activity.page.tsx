import type { ProjectId } from '@slipway/contract/projects'
import { useInfiniteQuery } from '@tanstack/react-query'
import { projectActivityQuery } from '../../../api/activity-queries.ts'
import { PagedActivity } from '../../../shell/activity/paged-activity.tsx'
import { ProjectTab } from '../project-tab.tsx'

const ActivityOf = ({ id }: { id: ProjectId }) => (
  <PagedActivity query={useInfiniteQuery(projectActivityQuery(id))} scope="project" />
)

export const Page = () => <ProjectTab>{({ id }) => <ActivityOf id={id} />}</ProjectTab>
