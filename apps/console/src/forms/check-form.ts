import { ApiError } from '@slipway/contract/client'
import type { ErrorCode } from '@slipway/contract/errors'
import { type FormMessage, formMessage } from '@slipway/contract/form-messages'
import type * as z from 'zod/mini'

/** The schema of a form: a call's body, or a form schema of the contract. */
export type FormSchema = z.ZodMiniType<Record<string, unknown>, Record<string, unknown>>

/**
 * The error of a field: a message of the contract (with the limit if the value is too long), an
 * error code of the field, or a text of the server. Messages and codes are keys, so that the
 * shown text follows the language.
 */
export type FieldError =
  | { message: FormMessage; max?: number | undefined }
  | { code: ErrorCode }
  | { text: string }
export type FieldErrors = Partial<Record<string, FieldError>>

/** The messages of the contract among these errors. */
export const messagesOf = (errors: FieldErrors): FormMessage[] =>
  Object.values(errors).flatMap((error) => (error && 'message' in error ? [error.message] : []))

/** The parsed values, or the first message of each invalid field. */
export function checkForm<S extends FormSchema>(
  schema: S,
  values: unknown,
): { data: z.output<S>; errors: null } | { data: null; errors: FieldErrors } {
  const parsed = schema.safeParse(values)
  if (parsed.success) return { data: parsed.data, errors: null }
  const errors: FieldErrors = {}
  for (const issue of parsed.error.issues)
    errors[String(issue.path[0])] ??= {
      message: formMessage(issue.message),
      ...(issue.code === 'too_big' && { max: Number(issue.maximum) }),
    }
  return { data: null, errors }
}

/**
 * The errors of the form's fields after a failed submission, or null if no field is to blame.
 * `codes` maps error codes to fields.
 */
export function fieldErrorsOf(
  error: unknown,
  names: readonly string[],
  codes: Partial<Record<ErrorCode, string>> = {},
): FieldErrors | null {
  if (!(error instanceof ApiError)) return null
  const field = codes[error.code]
  if (field) return { [field]: { code: error.code } }
  if (error.code !== 'validation_error') return null
  const known = Object.entries(error.fields).filter(([name]) => names.includes(name))
  if (known.length === 0) return null
  return Object.fromEntries(known.map(([name, text]) => [name, { text }]))
}
