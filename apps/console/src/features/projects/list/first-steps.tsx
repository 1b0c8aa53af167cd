import { m } from '@slipway/phrases'

const steps = [
  { title: m.first_step_create, hint: m.first_step_create_hint },
  { title: m.first_step_content, hint: m.first_step_content_hint },
  { title: m.first_step_domain, hint: m.first_step_domain_hint },
]

/** For a user without a project: what comes first. */
export const FirstSteps = () => (
  <ol aria-label={m.first_steps_label()} className="grid gap-4 sm:grid-cols-3">
    {steps.map(({ title, hint }, index) => (
      <li
        key={title()}
        className="flex gap-3 rounded-md border border-line bg-surface p-4 sm:grid sm:content-start"
      >
        <span
          aria-hidden
          className="inline-flex size-7 shrink-0 items-center justify-center rounded-full bg-accent-soft text-xs font-semibold text-accent"
        >
          {index + 1}
        </span>
        <div className="grid gap-1">
          <p className="font-medium">{title()}</p>
          <p className="text-muted">{hint()}</p>
        </div>
      </li>
    ))}
  </ol>
)
