import { ApiError, UnreadableResponse } from '@slipway/contract/client'
import type { ErrorCode } from '@slipway/contract/errors'
import { m } from '@slipway/phrases'
import { NetworkError } from './client.ts'
import { paymentFailureText } from './payment-failure.ts'

/** Every error code has a text: a response may carry one that its call does not declare. */
const texts: Record<ErrorCode, (error: ApiError) => string> = {
  invalid_credentials: () => m.error_invalid_credentials(),
  user_not_created_with_email: () => m.error_user_not_created_with_email(),
  validation_error: (error) => Object.values(error.fields).join(' ') || m.error_validation_error(),
  too_many_requests: () => m.error_too_many_requests(),
  internal_error: ({ context }) =>
    context ? m.error_internal_error_with_id({ id: context }) : m.error_internal_error(),
  unavailable: () => m.error_unavailable(),
  invalid_params: () => m.error_invalid_params(),
  invalid_token: () => m.error_invalid_token(),
  malformed_request: () => m.error_malformed_request(),
  request_not_supported: () => m.error_request_not_supported(),
  request_uri_not_supported: () => m.error_request_uri_not_supported(),
  unauthorized: () => m.error_unauthorized(),
  user_not_verified: () => m.error_user_not_verified(),
  project_not_found: () => m.error_project_not_found(),
  route_not_found: () => m.error_route_not_found(),
  email_already_exists: () => m.error_email_already_exists(),
  already_verified: () => m.error_already_verified(),
  request_too_large: () => m.error_request_too_large(),
  unsupported_media_type: () => m.error_unsupported_media_type(),
  action_limit_reached: () => m.error_action_limit_reached(),
  forbidden: () => m.error_forbidden(),
  item_not_found: () => m.error_item_not_found(),
  team_not_found: () => m.error_team_not_found(),
  region_not_found: () => m.error_region_not_found(),
  invitation_not_found: () => m.error_invitation_not_found(),
  ticket_not_found: () => m.error_ticket_not_found(),
  release_not_found: () => m.error_release_not_found(),
  runtime_not_available: () => m.error_runtime_not_available(),
  already_deleted: () => m.error_already_deleted(),
  cannot_update_deleted_project: () => m.error_cannot_update_deleted_project(),
  project_limit_reached: () => m.error_project_limit_reached(),
  domain_in_use: () => m.error_domain_in_use(),
  self_invite_not_possible: () => m.error_self_invite_not_possible(),
  already_invited: () => m.error_already_invited(),
  already_joined: () => m.error_already_joined(),
  invitation_limit_reached: () => m.error_invitation_limit_reached(),
  owner_cannot_leave: () => m.error_owner_cannot_leave(),
  ticket_already_resolved: () => m.error_ticket_already_resolved(),
  ticket_closed: () => m.error_ticket_closed(),
  message_limit_reached: () => m.error_message_limit_reached(),
  invoice_not_found: () => m.error_invoice_not_found(),
  invoice_already_paid: () => m.error_invoice_already_paid(),
  payment_method_not_found: () => m.error_payment_method_not_found(),
  payment_in_progress: () => m.error_payment_in_progress(),
  payment_failed: ({ context }) =>
    context ? paymentFailureText(context) : m.error_payment_failed(),
  default_payment_method: () => m.error_default_payment_method(),
  payment_method_limit_reached: () => m.error_payment_method_limit_reached(),
  personal_token_limit_reached: () => m.error_personal_token_limit_reached(),
  variable_limit_reached: () => m.error_variable_limit_reached(),
}

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
