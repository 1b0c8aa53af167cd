import { ApiError } from '@slipway/contract/client'
import type { ErrorCode } from '@slipway/contract/errors'
import { type Locale, m } from '@slipway/phrases'

/** What ends a command; its message is all that the operator needs, in their language. */
export class Failure extends Error {
  override readonly name = 'Failure'
}

/** There was no answer: the request may have been carried out nevertheless. */
export class NoAnswer extends Failure {}

/** True for an answer with one of these codes. */
export const isRefusal = (error: unknown, ...codes: ErrorCode[]): error is ApiError =>
  error instanceof ApiError && codes.includes(error.code)

/** What to say of an error that the service answered. */
export function refusalText({ code, context, fields }: ApiError, locale: Locale) {
  if (code === 'validation_error' && Object.keys(fields).length > 0)
    return [...new Set(Object.values(fields))].join(' ')
  if (code === 'internal_error' && context !== undefined)
    return m.error_internal_error_with_id({ id: context }, { locale })
  return m[`error_${code}`]({}, { locale })
}
