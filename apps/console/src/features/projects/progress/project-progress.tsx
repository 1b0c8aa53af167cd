import type { Project, ProjectDetail } from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import { lazy, Suspense, useState } from 'react'
import { Card } from '../../../ui/card.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { projectStates } from '../project-states.ts'
import { stepClass, stepListClass } from './step-list-class.ts'

const StepList = lazy(() => import('./step-list.tsx'))
const StepAnnouncer = lazy(() =>
  import('./step-list.tsx').then((module) => ({ default: module.StepAnnouncer })),
)
const CreationDuration = lazy(() =>
  import('./step-list.tsx').then((module) => ({ default: module.CreationDuration })),
)

const isBeingCreated = ({ state }: Project) => state === 'pending' || state === 'creating'

/** True if the page shows the steps of the creation, and above them what happens now. */
export const showsSteps = (project: ProjectDetail, hasListDataOnly: boolean) =>
  (isBeingCreated(project) || project.state === 'failed_creating') &&
  (hasListDataOnly || project.progress !== null)

/** True once the page has shown the project being created; the steps stay visible then. */
export function useWatchedCreation(project: Project | undefined) {
  const [isWatched, setIsWatched] = useState(false)
  if (project && isBeingCreated(project) && !isWatched) setIsWatched(true)
  return isWatched
}

/**
 * The steps of a project's creation while it runs and after it failed. If the page has shown it
 * running, a line with its duration follows.
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
  const isShown = showsSteps(project, loading)
  const { hint } = projectStates[state]
  const explanation = isShown && hint && <p className="-mt-3 mb-4 text-muted">{hint()}</p>
  if (loading)
    return isShown ? (
      <Card title={m.projects_step_title()}>
        {explanation}
        <StepsSkeleton />
      </Card>
    ) : null
  if (!progress) return null
  return (
    <>
      {(isShown || isWatched) && (
        <Suspense>
          <StepAnnouncer progress={progress} />
        </Suspense>
      )}
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
          {explanation}
          <Suspense fallback={<StepsSkeleton />}>
            <StepList progress={progress} />
          </Suspense>
        </Card>
      ) : (
        isWatched &&
        state === 'ready' && (
          // Loaded with the steps before.
          <Suspense>
            <CreationDuration progress={progress} />
          </Suspense>
        )
      )}
    </>
  )
}

const StepsSkeleton = () => (
  <div className="@container">
    <div className={stepListClass}>
      {['w-40', 'w-48', 'w-32', 'w-44'].map((width) => (
        <div key={width} className={`border-line ${stepClass}`}>
          <div className="flex h-5 items-center @min-[48rem]:h-10 @min-[48rem]:items-start">
            <Skeleton className={width} />
          </div>
        </div>
      ))}
    </div>
  </div>
)
