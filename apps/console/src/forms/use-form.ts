import { ApiError } from '@slipway/contract/client'
import type { ErrorCode } from '@slipway/contract/errors'
import { type FormEvent, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import type * as z from 'zod/mini'
import { causesRedirect } from '../api/client.ts'
import { errorMessage } from '../api/error-message.ts'
import {
  checkForm,
  type FieldError,
  type FieldErrors,
  type FormSchema,
  fieldErrorsOf,
  messagesOf,
} from './check-form.ts'
import { formMessageText } from './form-message.ts'
import { loadFormMessages } from './load-form-messages.ts'

/** The values of a form while it is filled in; `null` for a value that is not set yet. */
type Draft<S> = { [Name in keyof z.input<S>]-?: z.input<S>[Name] | null }
type Name<S> = keyof z.input<S> & string
type TextName<S> = {
  [N in Name<S>]: Extract<z.input<S>[N], string> extends never ? never : N
}[Name<S>]

type Options<S extends FormSchema> = {
  schema: S
  initial: Draft<S>
  /** Receives the parsed values. Its error shows beside a field if it names one. */
  submit: (data: z.output<S>) => Promise<unknown>
  /** The field that an error code belongs to; other errors show above the form's buttons. */
  errorFields?: Partial<Record<ErrorCode, Name<S>>>
}

function textOf(error: FieldError) {
  if ('message' in error) return formMessageText(error.message, error.max)
  if ('text' in error) return error.text
  return errorMessage(new ApiError(0, { code: 0, error: error.code }))
}

/**
 * A form on a schema of the contract. It ignores a submission while another is in flight, focuses
 * the first invalid field, clears a field's error on change, and keeps the input after a failure.
 */
export function useForm<S extends FormSchema>({
  schema,
  initial,
  submit,
  errorFields,
}: Options<S>) {
  const [values, setValues] = useState(initial)
  const [errors, setErrors] = useState<FieldErrors>({})
  const [failure, setFailure] = useState<unknown>(null)
  const [pending, setPending] = useState(false)
  const inFlight = useRef(false)
  const element = useRef<HTMLFormElement>(null)
  const shownErrors = useRef<FieldErrors>(null)

  useEffect(() => {
    // The errors of a click before hydration are not rendered yet when this first runs.
    if (shownErrors.current !== errors) return
    shownErrors.current = null
    if (Object.keys(errors).length > 0)
      element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [errors])

  // Adopts text that the user typed into the prerendered fields before hydration.
  const adoptTyped = useEffectEvent(() => {
    for (const { name, value } of element.current?.querySelectorAll('input') ?? [])
      if (name in values && value !== (values[name as Name<S>] ?? ''))
        set(name as Name<S>, value as Draft<S>[Name<S>])
  })
  useLayoutEffect(() => adoptTyped(), [])

  function showErrors(next: FieldErrors) {
    shownErrors.current = next
    setErrors(next)
  }

  async function onSubmit(event: FormEvent) {
    event.preventDefault()
    if (inFlight.current) return
    const checked = checkForm(schema, values)
    setFailure(null)
    if (checked.errors) {
      await loadFormMessages(messagesOf(checked.errors))
      showErrors(checked.errors)
      return
    }
    showErrors({})
    inFlight.current = true
    setPending(true)
    try {
      await submit(checked.data)
    } catch (error) {
      const fields = fieldErrorsOf(error, Object.keys(initial), errorFields)
      if (fields) showErrors(fields)
      else if (!causesRedirect(error)) setFailure(error)
    } finally {
      inFlight.current = false
      setPending(false)
    }
  }

  function set<N extends Name<S>>(name: N, value: Draft<S>[N]) {
    setValues((current) => ({ ...current, [name]: value }))
    setErrors(({ [name]: _, ...others }) => others)
  }

  const error = (name: Name<S>) => {
    const current = errors[name]
    return current && textOf(current)
  }

  return {
    values,
    set,
    error,
    pending,
    /** The text of the last submission's failure, for an Alert; null if there is none. */
    failure: failure === null ? null : errorMessage(failure),
    /** For a text field: `<TextField label=… {...form.field('name')} />`. */
    field: (name: TextName<S>) => ({
      name,
      value: String(values[name] ?? ''),
      error: error(name),
      onChange: (value: string) => set(name, value as Draft<S>[typeof name]),
    }),
    props: { ref: element, onSubmit, 'aria-busy': pending || undefined },
  }
}
