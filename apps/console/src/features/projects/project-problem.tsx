import { type ProjectDetail, shownState } from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import { lazy, Suspense } from 'react'
import { Alert } from '../../ui/alert.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { ActionsSkeleton } from './access/access-buttons.tsx'
import { StoppedNotice } from './power/stopped-notice.tsx'
import { projectStates } from './project-states.ts'

// The texts of all failures are large, and most projects have none.
const loadFailure = () => import('./project-failure.tsx')
const FailedToCreate = lazy(() =>
  loadFailure().then((module) => ({ default: module.FailedToCreate })),
)
const SuspensionNotice = lazy(() => import('./power/suspension-notice.tsx'))
const CrashNotice = lazy(() => import('./crash-notice.tsx'))
const FailureText = lazy(() => loadFailure().then((module) => ({ default: module.FailureText })))

/** The problem of the project: not created, not running, or restricted; null without one. */
export function ProjectProblem({ project }: { project: ProjectDetail }) {
  const { state, power, failure } = project
  if (projectStates[state].isEditable && power === 'suspended')
    return (
      <Suspense fallback={<SuspensionNoticeSkeleton />}>
        <SuspensionNotice project={project} />
      </Suspense>
    )
  if (state === 'failed_creating')
    return (
      <Suspense fallback={<FailedToCreateSkeleton />}>
        <FailedToCreate project={project} />
      </Suspense>
    )
  if (shownState(project) === 'stopped') return <StoppedNotice project={project} />
  if (shownState(project) === 'crashing')
    return (
      <Suspense fallback={<CrashNoticeSkeleton />}>
        <CrashNotice project={project} />
      </Suspense>
    )
  return failure && <Warning failure={failure} />
}

const FailedToCreateSkeleton = () => (
  <Alert kind="failure" actions={<ActionsSkeleton />}>
    <p className="font-medium">{m.projects_failed()}</p>
    <p>
      <Skeleton className="w-64" />
    </p>
    <p>
      <Skeleton className="w-80" />
    </p>
    {/* On a phone its text wraps. */}
    <div className="grid sm:hidden">
      <Skeleton className="w-64" />
    </div>
  </Alert>
)

const SuspensionNoticeSkeleton = () => (
  <Alert kind="failure" actions={<ActionsSkeleton />}>
    {['w-64', 'w-80', 'w-56'].map((width) => (
      <p key={width}>
        <Skeleton className={width} />
      </p>
    ))}
  </Alert>
)

const CrashNoticeSkeleton = () => (
  <Alert kind="failure">
    <Skeleton className="w-64" />
  </Alert>
)

/** Quieter than an alert: the project works, with restrictions. */
const Warning = ({ failure }: { failure: NonNullable<ProjectDetail['failure']> }) => (
  <p
    role="status"
    className="flex items-start gap-2 rounded-md border border-warning/30 bg-warning-soft px-3 py-2"
  >
    <TriangleAlert className="mt-0.5 size-4 shrink-0 text-warning" aria-hidden />
    <Suspense fallback={<Skeleton className="my-0.5 w-64" />}>
      <FailureText failure={failure} />
    </Suspense>
  </p>
)
