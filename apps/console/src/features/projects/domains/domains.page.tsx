import { useParam } from '../../../shell/navigation/route-params.ts'
import { ProjectSubpage } from '../project-subpage.tsx'
import { DomainList } from './domain-list.tsx'

export function Page() {
  const key = useParam('projectKey')
  return (
    <ProjectSubpage projectKey={key}>
      {(project) => <DomainList key={project.id} project={project} />}
    </ProjectSubpage>
  )
}
