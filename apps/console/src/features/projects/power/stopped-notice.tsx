import type { Project } from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import { useQueryClient } from '@tanstack/react-query'
import { useAction } from '../../../forms/use-action.ts'
import { pageHeading } from '../../../shell/page/page-heading.ts'
import { Alert } from '../../../ui/alert.tsx'
import { Button } from '../../../ui/button.tsx'
import { startProject } from './change-power.ts'

/** Says that the site is stopped, with a button that starts it. */
export function StoppedNotice({ project }: { project: Project }) {
  const queryClient = useQueryClient()
  const start = useAction(async () => {
    await startProject(queryClient, project)
    // The button is removed with the notice.
    pageHeading()?.focus()
  })
  return (
    <Alert
      kind="info"
      actions={
        <Button variant="primary" pending={start.pending} onClick={() => start.run()}>
          {m.projects_start()}
        </Button>
      }
    >
      <p>{m.projects_hint_stopped()}</p>
      {start.failure && <p className="mt-2 text-danger">{start.failure}</p>}
    </Alert>
  )
}
