import type { NextSteps } from '@slipway/contract/next-steps'
import type { Project, ProjectId } from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import { useQuery } from '@tanstack/react-query'
import Check from 'lucide-react/icons/check'
import X from 'lucide-react/icons/x'
import { type ReactNode, useState } from 'react'
import { paths } from '../../../paths.ts'
import { TextLink } from '../../../shell/navigation/link.tsx'
import { pageHeading } from '../../../shell/page/page-heading.ts'
import { IconButton } from '../../../ui/button.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { VisuallyHidden } from '../../../ui/visually-hidden.tsx'
import { signsIn } from '../access/access-url.ts'
import { nextStepsQuery } from '../next-steps-query.ts'

type Step = { title: string; hint: string; done?: boolean; to?: string | undefined }

const stepsOf = (project?: Project, done?: NextSteps): Step[] => [
  {
    title: m.first_step_create(),
    hint: m.first_step_create_hint(),
    done: project !== undefined,
  },
  {
    title: m.first_step_content(),
    hint: m.first_step_content_hint(),
    done: done?.content === true,
    to: project && (signsIn(project) ? paths.project : paths.releases)(project.key),
  },
  {
    title: m.first_step_domain(),
    hint: m.first_step_domain_hint(),
    done: done?.domain === true,
    to: project && paths.domains(project.key),
  },
]

const StepList = ({ steps }: { steps: readonly Step[] }) => {
  const current = steps.findIndex(({ done }) => !done)
  return (
    <ol aria-label={m.first_steps_label()} className="grid gap-6 sm:grid-cols-3">
      {steps.map(({ title, hint, done, to }, index) => (
        <li
          key={title}
          aria-current={index === current ? 'step' : undefined}
          className="flex gap-3 sm:grid sm:content-start"
        >
          <span
            aria-hidden
            className={classNames(
              'inline-flex size-7 shrink-0 items-center justify-center rounded-full text-xs font-semibold',
              done
                ? 'bg-success-soft text-success'
                : index === current
                  ? 'bg-accent-fill text-on-fill'
                  : 'bg-hover text-muted',
            )}
          >
            {done ? <Check className="size-4" /> : index + 1}
          </span>
          <div className="grid gap-1">
            <p className={done ? 'text-muted line-through' : 'font-medium'}>
              {to && !done ? <TextLink to={to}>{title}</TextLink> : title}
              {done && <VisuallyHidden> ({m.projects_live_done()})</VisuallyHidden>}
            </p>
            <p className="text-muted">{hint}</p>
          </div>
        </li>
      ))}
    </ol>
  )
}

const panelClass = 'grid gap-6 rounded-md border border-line bg-surface p-4 sm:p-6'

/** The first steps of a user without projects; `children` is above them. */
export const FirstSteps = ({ children }: { children: ReactNode }) => (
  <div className={panelClass}>
    {children}
    <StepList steps={stepsOf()} />
  </div>
)

const dismissedKey = 'firstStepsDismissed'

const isDismissed = () => localStorage.getItem(dismissedKey) !== null

/** The steps of a user's only project. The list waits for them, because they are above it. */
export function useRemainingSteps(project: Project | undefined) {
  return useQuery({
    ...nextStepsQuery((project?.id ?? '') as ProjectId),
    enabled: project !== undefined && !isDismissed(),
  })
}

/** For a user with one project: the remaining first steps, until the user dismisses them. */
export function RemainingSteps({ project, steps }: { project: Project; steps: NextSteps }) {
  const [dismissed, setDismissed] = useState(isDismissed)
  if (dismissed || (steps.content && steps.domain)) return null
  return (
    <section aria-labelledby="first-steps" className="grid gap-2">
      <div className="flex items-center justify-between">
        <h2 id="first-steps" className="text-base font-semibold">
          {m.first_steps_label()}
        </h2>
        <IconButton
          icon={X}
          label={m.shell_dismiss()}
          onClick={() => {
            localStorage.setItem(dismissedKey, new Date().toISOString())
            setDismissed(true)
            // The button disappears.
            pageHeading()?.focus()
          }}
        />
      </div>
      <div className={panelClass}>
        <StepList steps={stepsOf(project, steps)} />
      </div>
    </section>
  )
}
