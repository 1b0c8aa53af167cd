import Eye from 'lucide-react/icons/eye'
import EyeOff from 'lucide-react/icons/eye-off'
import { useState } from 'react'
import { classNames } from '../class-names.ts'
import { controlClass, Field, type FieldProps } from './field.tsx'

/** A password, with a button that reveals it. */
export function PasswordField({
  label,
  description,
  error,
  required,
  onChange,
  texts,
  ...rest
}: FieldProps & {
  autoComplete: 'current-password' | 'new-password'
  texts: { show: string; hide: string }
}) {
  const [shown, setShown] = useState(false)
  const Icon = shown ? EyeOff : Eye
  return (
    <Field label={label} description={description} error={error} required={required}>
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
          <button
            type="button"
            className="absolute inset-y-0 right-0 flex w-11 items-center justify-center rounded-md text-muted hover:text-fg"
            aria-label={shown ? texts.hide : texts.show}
            title={shown ? texts.hide : texts.show}
            aria-controls={control.id}
            onClick={() => setShown(!shown)}
          >
            <Icon className="size-4" aria-hidden />
          </button>
        </div>
      )}
    </Field>
  )
}
