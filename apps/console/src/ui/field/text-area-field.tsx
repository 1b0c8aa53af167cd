import type { ComponentProps } from 'react'
import { classNames } from '../class-names.ts'
import { controlClass, Field, type FieldProps } from './field.tsx'
import { describeWithLimit, type Limit, LimitAnnouncement } from './length-limit.tsx'

type Native = Pick<
  ComponentProps<'textarea'>,
  'autoFocus' | 'onKeyDown' | 'placeholder' | 'readOnly'
>

/** Text of several lines that grows with its content and counts the characters near its limit. */
export function TextAreaField({
  label,
  description,
  error,
  required,
  onChange,
  limit,
  tall,
  ...rest
}: FieldProps &
  Native & {
    limit?: Limit
    /** Tall from the start, for long texts. */
    tall?: boolean
  }) {
  return (
    <div>
      <Field
        label={label}
        error={error}
        required={required}
        description={describeWithLimit(description, rest.value, limit)}
      >
        {(control) => (
          <textarea
            {...rest}
            {...control}
            className={classNames(
              controlClass,
              'block field-sizing-content max-h-[60vh] py-2 wrap-anywhere',
              tall ? 'min-h-40' : 'min-h-20',
            )}
            onChange={(event) => onChange(event.target.value)}
          />
        )}
      </Field>
      {limit && <LimitAnnouncement value={rest.value} limit={limit} />}
    </div>
  )
}
