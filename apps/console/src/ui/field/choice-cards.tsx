import { type ComponentType, useId } from 'react'
import { classNames } from '../class-names.ts'

export type Choice<Value extends string> = {
  value: Value
  label: string
  description?: string
  icon: ComponentType<{ className?: string; 'aria-hidden'?: boolean }>
  disabled?: boolean
}

/** Radio buttons shown as cards, each with an icon and an optional description. */
export function ChoiceCards<Value extends string>({
  label,
  description,
  error,
  required,
  choices,
  value,
  onChange,
}: {
  label: string
  description?: string
  error?: string | undefined
  required?: boolean
  choices: readonly Choice<Value>[]
  value: Value | ''
  onChange: (value: Value) => void
}) {
  const id = useId()
  const descriptionIds = [error && `${id}-error`, description && `${id}-description`].filter(
    Boolean,
  )
  return (
    <div
      role="radiogroup"
      aria-labelledby={`${id}-label`}
      aria-required={required || undefined}
      aria-describedby={descriptionIds.join(' ') || undefined}
      className="grid gap-1.5"
    >
      <span id={`${id}-label`} className="font-medium">
        {label}
      </span>
      <div className="grid gap-2 sm:grid-cols-2">
        {choices.map((choice) => (
          <label
            key={choice.value}
            className={classNames(
              'relative isolate flex items-start gap-3 rounded-md border p-3 has-aria-invalid:border-danger',
              'has-checked:chosen has-focus-visible:outline-2 has-aria-invalid:outline-danger',
              choice.disabled
                ? 'border-line bg-canvas text-muted'
                : 'cursor-pointer border-control transition-colors hover:bg-hover',
            )}
          >
            <input
              type="radio"
              // A generated name: `useForm` adopts the values of inputs that have a field's name.
              name={id}
              aria-invalid={error ? true : undefined}
              value={choice.value}
              checked={choice.value === value}
              disabled={choice.disabled}
              onChange={() => onChange(choice.value)}
              className="absolute inset-0 -z-10 opacity-0"
            />
            <choice.icon className="mt-0.5 size-4 shrink-0" aria-hidden />
            <span className="grid gap-0.5">
              <span className="font-medium">{choice.label}</span>
              {choice.description && <span className="text-muted">{choice.description}</span>}
            </span>
          </label>
        ))}
      </div>
      {error && (
        <p id={`${id}-error`} className="text-danger" role="alert">
          {error}
        </p>
      )}
      {description && (
        <p id={`${id}-description`} className="text-xs text-muted">
          {description}
        </p>
      )}
    </div>
  )
}
