import type { ProjectFailure, ProjectProgress, ProjectStep } from '@slipway/contract/projects'
import { latest } from '../../../clock.ts'
import type { EngineStep } from '../../../engines/hosting/engine.ts'
import type { StepRecord } from '../projects.schema.ts'

/** One attempt to create a project, step by step. */
export type Attempt = { attempt: number; steps: StepRecord[] }

/** The attempt after another one, or the first: its first step runs, the rest wait. */
export const newAttempt = (
  before: Attempt | undefined,
  engineSteps: readonly EngineStep[],
  now: Date,
): Attempt => ({
  attempt: (before?.attempt ?? 0) + 1,
  steps: (['queued', ...engineSteps, 'answer'] as const).map((step, place) => ({
    step,
    startedAt: place === 0 ? now.toISOString() : null,
    finishedAt: null,
    failure: null,
  })),
})

/** Servers' clocks differ: no step ends before it began, or begins before the one before it ended. */
function monotonicTime({ steps }: Attempt, now: Date) {
  const times = steps.flatMap(({ startedAt, finishedAt }) => [startedAt, finishedAt])
  const known = times.flatMap((time) => (time === null ? [] : [new Date(time)]))
  return latest(now, ...known).toISOString()
}

const runningIndex = ({ steps }: Attempt) => steps.findIndex((step) => step.finishedAt === null)

/**
 * The attempt with all steps before that one done. Undefined when it was come to before: what is done once
 * more, after a server was killed, goes on where it was.
 */
export function withStepStarted(
  attempt: Attempt,
  step: ProjectStep,
  now: Date,
): Attempt | undefined {
  const running = runningIndex(attempt)
  const place = attempt.steps.findIndex((each) => each.step === step)
  const hasFailed = attempt.steps.some((each) => each.failure !== null)
  if (hasFailed || running === -1 || place <= running) return undefined
  const at = monotonicTime(attempt, now)
  return {
    ...attempt,
    steps: attempt.steps.map((each, index) => {
      if (index < running || index > place) return each
      const startedAt = each.startedAt ?? at
      return { ...each, startedAt, finishedAt: index === place ? null : at }
    }),
  }
}

/** The attempt with all of its steps done. */
export function withAllDone(attempt: Attempt, now: Date): Attempt {
  const at = monotonicTime(attempt, now)
  return {
    ...attempt,
    steps: attempt.steps.map((each) =>
      each.finishedAt === null
        ? { ...each, startedAt: each.startedAt ?? at, finishedAt: at, failure: null }
        : each,
    ),
  }
}

/** The attempt ended in the step that ran. */
export function withFailure(attempt: Attempt, failure: ProjectFailure, now: Date): Attempt {
  const at = monotonicTime(attempt, now)
  const running = runningIndex(attempt)
  return {
    ...attempt,
    steps: attempt.steps.map((each, index) =>
      index === running
        ? { ...each, startedAt: each.startedAt ?? at, finishedAt: at, failure }
        : each,
    ),
  }
}

function stateOf({ startedAt, finishedAt, failure }: StepRecord) {
  if (failure !== null) return 'failed'
  if (finishedAt !== null) return 'done'
  return startedAt === null ? 'waiting' : 'running'
}

export const present = ({ attempt, steps }: Attempt, now: Date): ProjectProgress => ({
  attempt,
  steps: steps.map((each) => ({ ...each, state: stateOf(each) })),
  asOf: now.toISOString(),
})
