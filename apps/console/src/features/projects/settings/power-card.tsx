import type { Project } from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useAction } from '../../../forms/use-action.ts'
import { pageHeading } from '../../../shell/page/page-heading.ts'
import { Alert } from '../../../ui/alert.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { lazyDialog } from '../../../ui/dialog/lazy-dialog.tsx'
import { restartProject, startProject } from '../power/change-power.ts'
import SuspensionNotice from '../power/suspension-notice.tsx'
import { ProjectStateBadge } from '../project-state-badge.tsx'
import { projectStates } from '../project-states.ts'

const StopProjectDialog = lazyDialog(() =>
  import('../power/stop-project-dialog.tsx').then((module) => module.StopProjectDialog),
)

/** Stops, starts and restarts the site, or shows why the project is suspended. */
export function PowerCard({ project }: { project: Project }) {
  const { power, state } = project
  if (!projectStates[state].isEditable) return null
  return (
    <Card title={m.projects_power()} actions={<ProjectStateBadge project={project} />}>
      {power === 'suspended' ? (
        <SuspensionNotice project={project} />
      ) : (
        <PowerButtons project={project} />
      )}
    </Card>
  )
}

function PowerButtons({ project }: { project: Project }) {
  const queryClient = useQueryClient()
  const [stopping, setStopping] = useState(false)
  const isRunning = project.power === 'running'
  const start = useAction(async () => {
    await startProject(queryClient, project)
    // The button is replaced by others.
    pageHeading()?.focus()
  })
  const restarting = useAction(() => restartProject(queryClient, project))
  const failure = start.failure ?? restarting.failure
  return (
    <div className="grid gap-4">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <p className="min-w-0 text-muted">
          {isRunning ? m.projects_power_running() : m.projects_hint_stopped()}
        </p>
        <div className="flex flex-wrap gap-2">
          {isRunning ? (
            <>
              <Button pending={restarting.pending} onClick={() => restarting.run()}>
                {m.projects_restart()}
              </Button>
              <Button onClick={() => setStopping(true)}>{m.projects_stop()}</Button>
            </>
          ) : (
            <Button variant="primary" pending={start.pending} onClick={() => start.run()}>
              {m.projects_start()}
            </Button>
          )}
        </div>
      </div>
      {failure && <Alert kind="failure">{failure}</Alert>}
      <StopProjectDialog project={project} open={stopping} onClose={() => setStopping(false)} />
    </div>
  )
}
