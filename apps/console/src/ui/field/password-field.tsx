import Eye from 'lucide-react/icons/eye'
import EyeOff from 'lucide-react/icons/eye-off'
import { type ReactNode, useState } from 'react'
import { classNames } from '../class-names.ts'
import { Tooltip } from '../tooltip.tsx'
import { controlClass, Field, type FieldProps } from './field.tsx'

export function PasswordField({
  label,
  description,
  error,
  required,
  onChange,
  texts,
  aside,
  ...rest
}: FieldProps & {
  autoComplete: 'current-password' | 'new-password'
  texts: { show: string; hide: string }
  /** At the right of the label. */
  aside?: ReactNode
}) {
  const [shown, setShown] = useState(false)
  const action = shown ? texts.hide : texts.show
  const Icon = shown ? EyeOff : Eye
  return (
    <Field label={label} description={description} error={error} required={required} aside={aside}>
      {(control) => (
        <div className="relative">
          <input
            {...rest}
            {...control}
            type={shown ? 'text' : 'password'}
            autoCapitalize="none"
            spellCheck={false}
            className={classNames(controlClass, 'pr-12')}
            onChange={(event) => onChange(event.target.value)}
          />
          <div className="absolute inset-y-0 right-0 flex">
            <Tooltip text={action}>
              <button
                type="button"
                className="flex w-11 items-center justify-center rounded-md text-muted hover:text-fg"
                aria-label={action}
                aria-controls={control.id}
                onClick={() => setShown(!shown)}
              >
                <Icon className="size-4" aria-hidden />
              </button>
            </Tooltip>
          </div>
        </div>
      )}
    </Field>
  )
}
