import ChevronDown from 'lucide-react/icons/chevron-down'
import { classNames } from '../class-names.ts'
import { controlClass, Field, type FieldProps } from './field.tsx'

export type SelectOption = { value: string; label: string }

/**
 * A native select, which suits phones, keyboards and screen readers best. `placeholder` shows while
 * nothing is selected.
 */
export function SelectField({
  label,
  description,
  error,
  required,
  onChange,
  options,
  placeholder,
  ...rest
}: FieldProps & { options: SelectOption[]; placeholder?: string; autoComplete?: string }) {
  return (
    <Field label={label} description={description} error={error} required={required}>
      {(control) => (
        <div className="relative">
          <select
            {...rest}
            {...control}
            className={classNames(
              controlClass,
              'appearance-none pr-9',
              placeholder !== undefined && rest.value === '' && 'text-muted',
            )}
            onChange={(event) => onChange(event.target.value)}
          >
            {placeholder !== undefined && (
              <option value="" disabled>
                {placeholder}
              </option>
            )}
            {options.map((option) => (
              <option key={option.value} value={option.value} className="text-fg">
                {option.label}
              </option>
            ))}
          </select>
          <ChevronDown
            className="pointer-events-none absolute top-1/2 right-3 size-4 -translate-y-1/2 text-muted"
            aria-hidden
          />
        </div>
      )}
    </Field>
  )
}
