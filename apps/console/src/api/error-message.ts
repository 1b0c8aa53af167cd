import { ApiError, UnreadableAnswer } from '@slipway/contract/client'
import type { ErrorCode } from '@slipway/contract/errors'
import { m } from '@slipway/phrases'
import { NetworkError } from './client.ts'

type Texts<Code extends ErrorCode> = Record<Code, (error: ApiError) => string>

/** What the pages of everybody may have to say. */
const guestTexts = {
  invalid_params: () => m.error_invalid_params(),
  invalid_credentials: () => m.error_invalid_credentials(),
  user_not_created_with_email: () => m.error_user_not_created_with_email(),
  invalid_token: () => m.error_invalid_token(),
  malformed_request: () => m.error_malformed_request(),
  unauthorized: () => m.error_unauthorized(),
  user_not_verified: () => m.error_user_not_verified(),
  project_not_found: () => m.error_project_not_found(),
  route_not_found: () => m.error_route_not_found(),
  email_already_exists: () => m.error_email_already_exists(),
  already_verified: () => m.error_already_verified(),
  request_too_large: () => m.error_request_too_large(),
  unsupported_media_type: () => m.error_unsupported_media_type(),
  validation_error: (error: ApiError) =>
    Object.values(error.fields).join(' ') || m.error_validation_error(),
  action_limit_reached: () => m.error_action_limit_reached(),
  too_many_requests: () => m.error_too_many_requests(),
  internal_error: ({ context }: ApiError) =>
    context ? m.error_internal_error_with_id({ id: context }) : m.error_internal_error(),
  unavailable: () => m.error_unavailable(),
} satisfies Partial<Texts<ErrorCode>>

/** The texts of whoever is signed in: the others, so that each code has one. */
export type AccountErrorTexts = Texts<Exclude<ErrorCode, keyof typeof guestTexts>>

const texts: Partial<Texts<ErrorCode>> = { ...guestTexts }

/** Adds the texts of the pages behind the login, which the login page need not load. */
export function addErrorTexts(more: AccountErrorTexts) {
  Object.assign(texts, more)
}

/** A sentence of a proxy, which people can read; not markup, nor what a program failed with. */
const isSentence = (text: string) => /^[^<>{}\n]{1,200}$/.test(text)

/** What to tell people about a failed call, in their language. */
export function errorMessage(error: unknown): string {
  if (error instanceof ApiError) return texts[error.code]?.(error) ?? m.error_internal_error()
  if (error instanceof NetworkError) return m.error_network()
  if (!(error instanceof UnreadableAnswer)) return m.error_internal_error()
  const { status, message } = error
  const isTold = status >= 400 && isSentence(message.trim())
  return isTold ? message.trim() : m.error_unreadable({ status })
}
