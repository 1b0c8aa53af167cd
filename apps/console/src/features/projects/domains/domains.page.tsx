import { ProjectTab } from '../project-tab.tsx'
import { DomainList } from './domain-list.tsx'

export const Page = () => (
  <ProjectTab>{(project) => <DomainList key={project.id} project={project} />}</ProjectTab>
)
