import { projectStates } from '../project-states.ts'
import { ProjectTab } from '../project-tab.tsx'
import { DeletionCard } from './deletion-card.tsx'
import { EnvironmentCard } from './environment-card.tsx'
import { IdentifiersCard } from './identifiers-card.tsx'
import { PowerCard } from './power-card.tsx'
import { SignInClientsCard } from './sign-in-clients-card.tsx'

export const Page = () => (
  <ProjectTab>
    {(project, hasListDataOnly) => (
      <>
        <EnvironmentCard key={project.id} project={project} />
        <SignInClientsCard key={`clients-${project.id}`} project={project} />
        <PowerCard project={project} />
        {projectStates[project.state].isEditable && <DeletionCard project={project} />}
        <IdentifiersCard project={project} hasListDataOnly={hasListDataOnly} />
      </>
    )}
  </ProjectTab>
)
