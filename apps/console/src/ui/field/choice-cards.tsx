import { type ComponentType, useId } from 'react'
import { classNames } from '../class-names.ts'

export type Choice<Value extends string> = {
  value: Value
  label: string
  description: string
  icon: ComponentType<{ className?: string; 'aria-hidden'?: boolean }>
  disabled?: boolean
}

/** A few choices as cards, with an icon and a sentence each: radio buttons. */
export function ChoiceCards<Value extends string>({
  label,
  choices,
  value,
  onChange,
}: {
  label: string
  choices: readonly Choice<Value>[]
  value: Value
  onChange: (value: Value) => void
}) {
  const name = useId()
  return (
    <fieldset className="grid gap-1.5">
      <legend className="mb-1.5 font-medium">{label}</legend>
      <div className="grid gap-2 sm:grid-cols-2">
        {choices.map((choice) => (
          <label
            key={choice.value}
            className={classNames(
              'flex cursor-pointer items-start gap-3 rounded-md border border-control/60 p-3 transition-colors hover:bg-hover',
              'has-checked:border-accent has-checked:bg-accent-soft has-focus-visible:outline-2 has-focus-visible:outline-accent',
              'has-disabled:cursor-not-allowed has-disabled:bg-transparent has-disabled:text-muted',
            )}
          >
            <input
              type="radio"
              name={name}
              value={choice.value}
              checked={choice.value === value}
              disabled={choice.disabled}
              onChange={() => onChange(choice.value)}
              className="sr-only"
            />
            <choice.icon className="mt-0.5 size-4 shrink-0" aria-hidden />
            <span className="grid gap-0.5">
              <span className="font-medium">{choice.label}</span>
              <span className="text-muted">{choice.description}</span>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
