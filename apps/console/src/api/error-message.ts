import { ApiError, UnreadableResponse } from '@slipway/contract/client'
import type { ErrorCode } from '@slipway/contract/errors'
import { m } from '@slipway/phrases'
import { NetworkError } from './network-error.ts'

type ErrorText = (error: ApiError) => string

/** The texts of errors that do not belong to an area of signed-in users. */
const generalTexts = {
  invalid_credentials: () => m.error_invalid_credentials(),
  user_not_created_with_email: () => m.error_user_not_created_with_email(),
  validation_error: (error: ApiError) =>
    Object.values(error.fields).join(' ') || m.error_validation_error(),
  too_many_requests: () => m.error_too_many_requests(),
  internal_error: ({ context }: ApiError) =>
    context ? m.error_internal_error_with_id({ id: context }) : m.error_internal_error(),
  unavailable: () => m.error_unavailable(),
  invalid_params: () => m.error_invalid_params(),
  invalid_token: () => m.error_invalid_token(),
  malformed_request: () => m.error_malformed_request(),
  unauthorized: () => m.error_unauthorized(),
  user_not_verified: () => m.error_user_not_verified(),
  email_already_exists: () => m.error_email_already_exists(),
  already_verified: () => m.error_already_verified(),
  request_too_large: () => m.error_request_too_large(),
  action_limit_reached: () => m.error_action_limit_reached(),
  forbidden: () => m.error_forbidden(),
} satisfies Partial<Record<ErrorCode, ErrorText>>

/**
 * The texts of all other error codes. Complete, because a call may return a code that it does not
 * declare.
 */
export type AreaErrorTexts = Record<Exclude<ErrorCode, keyof typeof generalTexts>, ErrorText>

let texts: Partial<Record<ErrorCode, ErrorText>> = generalTexts

/** Adds the texts of errors that only signed-in users get. */
export const addErrorTexts = (areaTexts: AreaErrorTexts) => {
  texts = { ...generalTexts, ...areaTexts }
}

export const hasErrorText = (code: ErrorCode) => code in texts

/** True for a sentence that a proxy wrote for users; false for markup and stack traces. */
const isSentence = (text: string) => /^[^<>{}\n]{1,200}$/.test(text)

/** The text of a failed call in the user's language; an unknown code reads as an internal error. */
export function errorMessage(error: unknown): string {
  if (error instanceof ApiError) return texts[error.code]?.(error) ?? m.error_internal_error()
  if (error instanceof NetworkError) return m.error_network()
  if (!(error instanceof UnreadableResponse)) return m.error_internal_error()
  const { status, message } = error
  const isReadable = status >= 400 && isSentence(message.trim())
  return isReadable ? message.trim() : m.error_unreadable({ status })
}
