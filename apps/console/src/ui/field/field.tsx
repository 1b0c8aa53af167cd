import { type ReactNode, useId } from 'react'

/** The props of every field; `useForm` provides `name`, `value`, `error` and `onChange`. */
export type FieldProps = {
  name: string
  label: string
  value: string
  onChange: (value: string) => void
  description?: ReactNode
  error?: string | undefined
  disabled?: boolean
  /** For assistive technology; the form validates. */
  required?: boolean
}

export const controlClass =
  'control-height w-full rounded-md border border-control bg-surface px-3 text-fg transition-colors placeholder:text-muted hover:border-muted pointer-coarse:text-base disabled:cursor-not-allowed disabled:bg-hover disabled:text-muted aria-invalid:border-danger'

type ControlProps = {
  id: string
  'aria-invalid': true | undefined
  'aria-describedby': string | undefined
  'aria-required': true | undefined
}

/** A label, a control, a description and an error, linked for assistive technology. */
export function Field({
  label,
  description,
  error,
  required,
  aside,
  children,
}: Pick<FieldProps, 'label' | 'description' | 'error' | 'required'> & {
  /** A link at the right of the label. The Tab key reaches it after the control. */
  aside?: ReactNode
  children: (control: ControlProps) => ReactNode
}) {
  const id = useId()
  const descriptionIds = [error && `${id}-error`, description && `${id}-description`].filter(
    Boolean,
  )
  return (
    <div className="relative grid gap-1.5">
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      {children({
        id,
        'aria-invalid': error ? true : undefined,
        'aria-describedby': descriptionIds.join(' ') || undefined,
        'aria-required': required || undefined,
      })}
      {error && (
        <p id={`${id}-error`} className="text-danger" role="alert">
          {error}
        </p>
      )}
      {description && (
        <div id={`${id}-description`} className="text-xs text-muted">
          {description}
        </div>
      )}
      {aside && <div className="absolute top-0 right-0">{aside}</div>}
    </div>
  )
}
