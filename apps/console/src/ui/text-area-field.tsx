import { classNames } from './class-names.ts'
import { controlClass, Field, type FieldProps } from './field.tsx'

/** Several lines of text; it grows with them where the browser can. */
export function TextAreaField({
  label,
  description,
  error,
  required,
  onChange,
  rows = 4,
  ...rest
}: FieldProps & { rows?: number; placeholder?: string }) {
  return (
    <Field label={label} description={description} error={error} required={required}>
      {(control) => (
        <textarea
          {...rest}
          {...control}
          rows={rows}
          className={classNames(controlClass, 'field-sizing-content min-h-24 py-2')}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  )
}
