import { type ProjectDetail, type ProjectFailure, retryProject } from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import { useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { useAction } from '../../forms/use-action.ts'
import { paths } from '../../paths.ts'
import { ButtonLink } from '../../shell/navigation/link.tsx'
import { pageHeading } from '../../shell/page/page-heading.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { failureTexts } from './failure-texts.ts'
import { creationFailure } from './progress/creation-steps.ts'
import { cacheProject } from './project-queries.ts'
import { showProjectToast } from './project-toasts.ts'

/** Why a project was not created, with a retry. */
export function FailedToCreate({ project }: { project: ProjectDetail }) {
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
          <Button variant="primary" pending={retry.pending} onClick={() => retry.run()}>
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

export const FailureText = ({ failure }: { failure: ProjectFailure }) => failureTexts[failure]()
