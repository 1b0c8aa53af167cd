import type { ProjectDetail, ProjectProgress, ProjectStep } from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import CircleAlert from 'lucide-react/icons/circle-alert'
import CircleCheck from 'lucide-react/icons/circle-check'
import CircleDashed from 'lucide-react/icons/circle-dashed'
import LoaderCircle from 'lucide-react/icons/loader-circle'
import type { ComponentType } from 'react'
import { failureTexts } from '../failure-texts.ts'

export type Step = ProjectProgress['steps'][number]

export const stepNames: Record<ProjectStep, () => string> = {
  queued: () => m.projects_step_queued(),
  prepare: () => m.projects_step_prepare(),
  start: () => m.projects_step_start(),
  answer: () => m.projects_step_answer(),
}

type StepDisplay = {
  label: () => string
  icon: ComponentType<{ className?: string; 'aria-hidden'?: boolean }>
  className: string
  border: string
}

export const stepStates: Record<Step['state'], StepDisplay> = {
  waiting: {
    label: () => m.projects_step_is_waiting(),
    icon: CircleDashed,
    className: 'text-muted',
    border: 'border-line',
  },
  running: {
    label: () => m.projects_step_is_running(),
    icon: LoaderCircle,
    className: 'text-accent animate-turn',
    border: 'border-accent',
  },
  done: {
    label: () => m.projects_step_is_done(),
    icon: CircleCheck,
    className: 'text-success',
    border: 'border-success',
  },
  failed: {
    label: () => m.projects_step_is_failed(),
    icon: CircleAlert,
    className: 'text-danger',
    border: 'border-danger',
  },
}

/**
 * The duration of a step in milliseconds, up to `now` while it runs; null before it starts. `now`
 * is the server's time.
 */
export function stepDuration({ startedAt, finishedAt }: Step, now: number) {
  if (startedAt === null) return null
  const end = finishedAt === null ? now : Date.parse(finishedAt)
  return Math.max(0, end - Date.parse(startedAt))
}

export function creationFailure({
  failure,
  progress,
}: Pick<ProjectDetail, 'failure' | 'progress'>) {
  const step = progress?.steps.find(({ state }) => state === 'failed')
  const name = step && stepNames[step.step]()
  if (step?.step === 'queued') return { reason: m.projects_step_not_taken(), step: name }
  return { reason: failure ? failureTexts[failure]() : undefined, step: name }
}
