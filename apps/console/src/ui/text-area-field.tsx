import { type ComponentProps, useEffect, useState } from 'react'
import { classNames } from './class-names.ts'
import { controlClass, Field, type FieldProps } from './field.tsx'

type Native = Pick<
  ComponentProps<'textarea'>,
  'autoFocus' | 'onKeyDown' | 'placeholder' | 'readOnly'
>

/** How much may be typed, and how it is said what is left of it; less than nothing is too much. */
type Limit = { max: number; text: (left: number) => string }

/** From this part of the limit on it is worth saying. */
const near = 0.9

/** Text of several lines, which grows with what is typed; near the `limit` it says what is left. */
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
    /** High from the start, for what will be long. */
    tall?: boolean
  }) {
  // What is blank around it is not sent, and does not count.
  const left = limit && limit.max - rest.value.trim().length
  const isNear = limit && left !== undefined && left <= limit.max * (1 - near)
  return (
    <div>
      <Field
        label={label}
        error={error}
        required={required}
        description={
          (description || isNear) && (
            <div className="flex flex-wrap justify-between gap-x-4">
              {description && <div>{description}</div>}
              {isNear && (
                <div className={classNames('ml-auto', left < 0 && 'text-danger')}>
                  {limit.text(left)}
                </div>
              )}
            </div>
          )
        }
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
      <Announcement text={isNear ? limit.text(left) : ''} />
    </div>
  )
}

/** As long as somebody types, a screen reader says what they type; then it has time for this. */
const pause = 1000

function Announcement({ text }: { text: string }) {
  const [announced, setAnnounced] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setAnnounced(text), pause)
    return () => clearTimeout(timer)
  }, [text])
  return (
    <span role="status" className="sr-only">
      {announced}
    </span>
  )
}
