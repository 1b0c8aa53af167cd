import { ProjectTab } from '../project-tab.tsx'
import { DomainList, DomainsSkeleton } from './domain-list.tsx'

export const Page = () => (
  <ProjectTab loading={<DomainsSkeleton />}>
    {(project) => <DomainList key={project.id} project={project} />}
  </ProjectTab>
)
