import { type ProjectDetail, retryProject } from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import { useQueryClient } from '@tanstack/react-query'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import { call } from '../../api/client.ts'
import { useAction } from '../../forms/use-action.ts'
import { paths } from '../../paths.ts'
import { ButtonLink } from '../../shell/navigation/link.tsx'
import { pageHeading } from '../../shell/page/page-heading.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { failureTexts } from './failure-texts.ts'
import { StopNotice, SuspensionNotice } from './power/power-notices.tsx'
import { creationFailure } from './progress/creation-steps.ts'
import { cacheProject } from './project-queries.ts'
import { projectStates, shownState } from './project-states.ts'
import { showProjectToast } from './project-toasts.ts'

/**
 * Why the project was not created or does not run, or what does not work; null without a problem.
 */
export function ProjectProblem({ project }: { project: ProjectDetail }) {
  if (projectStates[project.state].isEditable && project.power === 'suspended')
    return <SuspensionNotice project={project} />
  if (project.state === 'failed_creating') return <FailedToCreate project={project} />
  if (shownState(project) === 'stopped') return <StopNotice project={project} />
  if (project.failure) return <Warning>{failureTexts[project.failure]()}</Warning>
  return null
}

function FailedToCreate({ project }: { project: ProjectDetail }) {
  const queryClient = useQueryClient()
  const retry = useAction(async () => {
    const retried = await call(retryProject, { params: { id: project.id } })
    // The button is removed with the failure: move the focus first.
    pageHeading()?.focus()
    cacheProject(queryClient, retried)
    showProjectToast(queryClient, 'retry', retried)
  })
  const { reason, step } = creationFailure(project)
  return (
    <Alert
      kind="failure"
      actions={
        <>
          <Button pending={retry.pending} onClick={() => retry.run()}>
            {m.projects_retry()}
          </Button>
          <ButtonLink to={paths.createTicket()}>{m.projects_step_open_ticket()}</ButtonLink>
        </>
      }
    >
      <p className="font-medium">{m.projects_failed()}</p>
      {reason && <p>{reason}</p>}
      {step && <p>{m.projects_step_failed_in({ step })}</p>}
      <p>{m.projects_step_what_to_do()}</p>
      {retry.failure && <p className="mt-2 text-danger">{retry.failure}</p>}
    </Alert>
  )
}

/** Quieter than an alert: the project works, with restrictions. */
const Warning = ({ children }: { children: string }) => (
  <p
    role="status"
    className="flex items-start gap-2 rounded-md border border-warning/30 bg-warning-soft px-3 py-2"
  >
    <TriangleAlert className="mt-0.5 size-4 shrink-0 text-warning" aria-hidden />
    {children}
  </p>
)
