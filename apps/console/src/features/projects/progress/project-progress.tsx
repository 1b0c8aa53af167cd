import type {
  ProjectProgress as Progress,
  Project,
  ProjectDetail,
} from '@slipway/contract/projects'
import { formatDuration, formatList, getLocale, m } from '@slipway/phrases'
import { useEffect, useRef, useState } from 'react'
import { Card } from '../../../ui/card.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { VisuallyHidden } from '../../../ui/visually-hidden.tsx'
import {
  creationDuration,
  type Step,
  stepDuration,
  stepNames,
  stepStates,
} from './creation-steps.ts'
import { useServerTime } from './use-server-time.ts'

const isBeingCreated = ({ state }: Project) => state === 'pending' || state === 'creating'

/** True once the page has shown the project being created; the steps stay visible then. */
export function useWatchedCreation(project: Project | undefined) {
  const [isWatched, setIsWatched] = useState(false)
  if (project && isBeingCreated(project) && !isWatched) setIsWatched(true)
  return isWatched
}

/**
 * The steps of a project's creation while it runs and after it failed. If the page has shown it
 * running, a summary line follows; later that line is among the details.
 */
export function ProjectProgress({
  project,
  isWatched,
  loading,
}: {
  project: ProjectDetail
  isWatched: boolean
  /** Only the list's data is loaded yet. */
  loading: boolean
}) {
  const { state, progress } = project
  const isShown = isBeingCreated(project) || state === 'failed_creating'
  if (loading)
    return isShown ? (
      <Card title={m.projects_step_title()}>
        <StepsSkeleton />
      </Card>
    ) : null
  if (!progress) return null
  return (
    <>
      <StepAnnouncer progress={progress} />
      {isShown ? (
        <Card
          title={state === 'failed_creating' ? m.projects_step_list() : m.projects_step_title()}
          actions={
            progress.attempt > 1 && (
              <span className="text-muted">
                {m.projects_step_attempt({ number: String(progress.attempt) })}
              </span>
            )
          }
        >
          <StepList progress={progress} />
        </Card>
      ) : (
        isWatched && state === 'ready' && <CreationDuration progress={progress} />
      )}
    </>
  )
}

/** The duration of the creation, in one line that expands to its steps. */
export function CreationDuration({ progress }: { progress: Progress }) {
  const duration = creationDuration(progress)
  if (duration === null) return null
  return (
    <details>
      <summary className="w-fit cursor-pointer rounded-md text-muted hover:text-fg pointer-coarse:py-3">
        {m.projects_created_in({ duration: formatDuration(duration, getLocale()) })}
      </summary>
      <div className="pt-2 pl-4">
        <StepList progress={progress} />
      </div>
    </details>
  )
}

function StepList({ progress: { steps, asOf } }: { progress: Progress }) {
  const running = steps.find(({ state }) => state === 'running')?.startedAt
  const now = useServerTime(asOf, running ? Date.parse(running) : null)
  return (
    <ol aria-label={m.projects_step_list()} className="grid max-w-md gap-2">
      {steps.map((step) => (
        <StepLine key={step.step} step={step} duration={stepDuration(step, now)} />
      ))}
    </ol>
  )
}

function StepLine({ step: { step, state }, duration }: { step: Step; duration: number | null }) {
  const { icon: Icon, className, label } = stepStates[state]
  return (
    <li className="flex items-center gap-2">
      <Icon className={classNames('size-4 shrink-0', className)} aria-hidden />
      <span className={classNames('min-w-0 flex-1', state === 'waiting' && 'text-muted')}>
        {stepNames[step]()} <VisuallyHidden>{label()}</VisuallyHidden>
      </span>
      <span className="text-muted tabular-nums">
        {duration !== null && formatDuration(duration, getLocale())}
      </span>
    </li>
  )
}

const StepsSkeleton = () => (
  <div className="grid gap-2">
    {['w-40', 'w-48', 'w-32', 'w-44'].map((width) => (
      <div key={width} className="flex h-5 items-center">
        <Skeleton className={width} />
      </div>
    ))}
  </div>
)

/** Announces finished steps to screen readers. */
function StepAnnouncer({ progress: { attempt, steps } }: { progress: Progress }) {
  const finishedSteps = steps.filter(({ state }) => state === 'done' || state === 'failed')
  const announced = useRef({ attempt, count: finishedSteps.length })
  const [announcement, setAnnouncement] = useState('')

  useEffect(() => {
    const announcedCount = announced.current.attempt === attempt ? announced.current.count : 0
    announced.current = { attempt, count: finishedSteps.length }
    const unannounced = finishedSteps.slice(announcedCount)
    if (unannounced.length === 0) return
    setAnnouncement(
      formatList(
        unannounced.map(({ step, state }) =>
          m.projects_step_announcement({
            step: stepNames[step](),
            state: stepStates[state].label(),
          }),
        ),
        getLocale(),
        'narrow',
      ),
    )
  }, [attempt, finishedSteps])

  return (
    <span role="status" className="sr-only">
      {announcement}
    </span>
  )
}
