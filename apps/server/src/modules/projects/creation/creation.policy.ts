import type { ProjectFailure, ProjectProgress, ProjectStep } from '@slipway/contract/projects'
import { latest } from '../../../clock.ts'
import type { EngineStep } from '../../../engines/hosting/engine.ts'
import type { StepRecord } from '../projects.schema.ts'

export type Attempt = { attempt: number; steps: StepRecord[] }

/** The first attempt, or the one after `previous`: its first step is running, the others wait. */
export const newAttempt = (
  previous: Attempt | undefined,
  engineSteps: readonly EngineStep[],
  now: Date,
): Attempt => ({
  attempt: (previous?.attempt ?? 0) + 1,
  steps: (['queued', ...engineSteps, 'answer'] as const).map((step, index) => ({
    step,
    startedAt: index === 0 ? now.toISOString() : null,
    finishedAt: null,
    failure: null,
  })),
})

/** `now`, but never before a time of the attempt: servers' clocks differ. */
function monotonicTime({ steps }: Attempt, now: Date) {
  const times = steps.flatMap(({ startedAt, finishedAt }) => [startedAt, finishedAt])
  const knownTimes = times.flatMap((time) => (time === null ? [] : [new Date(time)]))
  return latest(now, ...knownTimes).toISOString()
}

const runningIndex = ({ steps }: Attempt) => steps.findIndex((step) => step.finishedAt === null)

/**
 * The attempt with `step` running and all steps before it done. Undefined when the step has started
 * before (a server was killed and the work is repeated) or the attempt has ended.
 */
export function withStepStarted(
  attempt: Attempt,
  step: ProjectStep,
  now: Date,
): Attempt | undefined {
  const running = runningIndex(attempt)
  const target = attempt.steps.findIndex((each) => each.step === step)
  const hasFailed = attempt.steps.some((each) => each.failure !== null)
  if (hasFailed || running === -1 || target <= running) return undefined
  const time = monotonicTime(attempt, now)
  return {
    ...attempt,
    steps: attempt.steps.map((each, index) => {
      if (index < running || index > target) return each
      const startedAt = each.startedAt ?? time
      return { ...each, startedAt, finishedAt: index === target ? null : time }
    }),
  }
}

export function withAllDone(attempt: Attempt, now: Date): Attempt {
  const time = monotonicTime(attempt, now)
  return {
    ...attempt,
    steps: attempt.steps.map((each) =>
      each.finishedAt === null
        ? { ...each, startedAt: each.startedAt ?? time, finishedAt: time, failure: null }
        : each,
    ),
  }
}

export function withFailure(attempt: Attempt, failure: ProjectFailure, now: Date): Attempt {
  const time = monotonicTime(attempt, now)
  const running = runningIndex(attempt)
  return {
    ...attempt,
    steps: attempt.steps.map((each, index) =>
      index === running
        ? { ...each, startedAt: each.startedAt ?? time, finishedAt: time, failure }
        : each,
    ),
  }
}

function stateOf({ startedAt, finishedAt, failure }: StepRecord) {
  if (failure !== null) return 'failed'
  if (finishedAt !== null) return 'done'
  return startedAt === null ? 'waiting' : 'running'
}

export const toResponse = ({ attempt, steps }: Attempt, now: Date): ProjectProgress => ({
  attempt,
  steps: steps.map((each) => ({ ...each, state: stateOf(each) })),
  asOf: now.toISOString(),
})
