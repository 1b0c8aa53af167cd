import { useParam } from '../../../shell/navigation/route-params.ts'
import { projectStates } from '../project-states.ts'
import { ProjectSubpage } from '../project-subpage.tsx'
import { DeletionCard } from './deletion-card.tsx'
import { EnvironmentCard } from './environment-card.tsx'
import { IdentifiersCard } from './identifiers-card.tsx'
import { PowerCard } from './power-card.tsx'
import { SignInClientsCard } from './sign-in-clients-card.tsx'

export function Page() {
  const key = useParam('projectKey')
  return (
    <ProjectSubpage projectKey={key}>
      {(project) => (
        <>
          <EnvironmentCard key={project.id} project={project} />
          <SignInClientsCard key={`clients-${project.id}`} project={project} />
          <PowerCard project={project} />
          {projectStates[project.state].isEditable && <DeletionCard project={project} />}
          <IdentifiersCard projectKey={key} project={project} />
        </>
      )}
    </ProjectSubpage>
  )
}
