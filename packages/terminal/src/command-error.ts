import { ApiError } from '@slipway/contract/client'
import type { ErrorCode } from '@slipway/contract/errors'
import { formatBytes, type Locale, m } from '@slipway/phrases'

/** Ends a command. The message is complete, and in the user's language. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
}

/** The request got no response. The service may have processed it. */
export class NoResponse extends CommandError {}

/** True for a response with one of these error codes. */
export const isApiError = (error: unknown, ...codes: ErrorCode[]): error is ApiError =>
  error instanceof ApiError && codes.includes(error.code)

/** The message for an error response of the service. */
export function apiErrorText({ code, context, fields }: ApiError, locale: Locale) {
  if (code === 'validation_error' && Object.keys(fields).length > 0)
    return [...new Set(Object.values(fields))].join(' ')
  if (code === 'internal_error' && context !== undefined)
    return m.error_internal_error_with_id({ id: context }, { locale })
  if (code === 'request_too_large' && context !== undefined && /^\d+$/.test(context))
    return m.terminal_too_large({ max: formatBytes(Number(context), locale) }, { locale })
  // A newer service has errors that this program does not know.
  const text = Object.hasOwn(m, `error_${code}`) ? m[`error_${code}`] : undefined
  return text?.({}, { locale }) ?? m.terminal_unknown_error({ code }, { locale })
}
