import type { ComponentProps } from 'react'
import { controlClass, Field, type FieldProps } from './field.tsx'

type Native = Pick<
  ComponentProps<'input'>,
  | 'autoComplete'
  | 'autoFocus'
  | 'inputMode'
  | 'maxLength'
  | 'onBlur'
  | 'placeholder'
  | 'ref'
  | 'spellCheck'
>

export function TextField({
  label,
  description,
  error,
  required,
  onChange,
  type = 'text',
  ...rest
}: FieldProps & Native & { type?: 'text' | 'email' }) {
  return (
    <Field label={label} description={description} error={error} required={required}>
      {(control) => (
        <input
          {...rest}
          {...control}
          type={type}
          className={controlClass}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  )
}
