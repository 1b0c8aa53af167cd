import type { ProjectProgress as Progress } from '@slipway/contract/projects'
import { formatDuration, formatList, getLocale, m } from '@slipway/phrases'
import { useEffect, useRef, useState } from 'react'
import { classNames } from '../../../ui/class-names.ts'
import { Disclosure } from '../../../ui/disclosure.tsx'
import { VisuallyHidden } from '../../../ui/visually-hidden.tsx'
import { creationDuration } from './creation-duration.ts'
import { type Step, stepDuration, stepNames, stepStates } from './creation-steps.ts'
import { stepClass, stepListClass } from './step-list-class.ts'
import { useServerTime } from './use-server-time.ts'

export default function StepList({ progress: { steps, asOf } }: { progress: Progress }) {
  const running = steps.find(({ state }) => state === 'running')?.startedAt
  const now = useServerTime(asOf, running ? Date.parse(running) : null)
  return (
    <div className="@container">
      <ol aria-label={m.projects_step_list()} className={stepListClass}>
        {steps.map((step) => (
          <StepLine key={step.step} step={step} duration={stepDuration(step, now)} />
        ))}
      </ol>
    </div>
  )
}

function StepLine({ step: { step, state }, duration }: { step: Step; duration: number | null }) {
  const { icon: Icon, className, border, label } = stepStates[state]
  return (
    <li className={classNames('flex items-start gap-2', stepClass, border)}>
      <Icon className={classNames('mt-0.5 size-4 shrink-0', className)} aria-hidden />
      <div className="flex min-w-0 flex-1 justify-between gap-x-2 @min-[48rem]:flex-col">
        <span className={classNames('min-w-0', state === 'waiting' && 'text-muted')}>
          {stepNames[step]()} <VisuallyHidden>{label()}</VisuallyHidden>
        </span>
        <span className="min-h-5 text-muted tabular-nums">
          {duration !== null && formatDuration(duration, getLocale())}
        </span>
      </div>
    </li>
  )
}

/** The duration of the creation, in one line that expands to its steps. */
export function CreationDuration({ progress }: { progress: Progress }) {
  const duration = creationDuration(progress)
  if (duration === null) return null
  return (
    <Disclosure
      summary={m.projects_created_in({ duration: formatDuration(duration, getLocale()) })}
    >
      <StepList progress={progress} />
    </Disclosure>
  )
}

/** Announces finished steps to screen readers. */
export function StepAnnouncer({ progress: { attempt, steps } }: { progress: Progress }) {
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
