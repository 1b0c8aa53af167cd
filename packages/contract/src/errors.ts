/** Every error code and its HTTP status (RFC 9110 §15). */
export const errors = {
  invalid_params: 400,
  invalid_credentials: 400,
  user_not_created_with_email: 400,
  invalid_token: 400,
  malformed_request: 400,
  // OpenID Connect Core §3.1.2.6.
  request_not_supported: 400,
  request_uri_not_supported: 400,
  login_required: 400,
  unauthorized: 401,
  payment_failed: 402,
  user_not_verified: 403,
  forbidden: 403,
  item_not_found: 404,
  project_not_found: 404,
  team_not_found: 404,
  region_not_found: 404,
  invitation_not_found: 404,
  ticket_not_found: 404,
  release_not_found: 404,
  domain_not_found: 404,
  invoice_not_found: 404,
  payment_method_not_found: 404,
  route_not_found: 404,
  email_already_exists: 409,
  already_verified: 409,
  already_deleted: 409,
  cannot_update_deleted_project: 409,
  project_limit_reached: 409,
  project_suspended: 409,
  project_stopped: 409,
  domain_in_use: 409,
  domain_limit_reached: 409,
  release_already_live: 409,
  release_in_progress: 409,
  region_full: 409,
  move_not_possible: 409,
  runtime_not_available: 409,
  backup_not_possible: 409,
  runtime_version_invalid: 400,
  self_invite_not_possible: 409,
  already_invited: 409,
  already_joined: 409,
  invitation_limit_reached: 409,
  owner_cannot_leave: 409,
  ticket_already_resolved: 409,
  ticket_closed: 409,
  invoice_already_paid: 409,
  payment_in_progress: 409,
  default_payment_method: 409,
  payment_method_limit_reached: 409,
  personal_token_limit_reached: 409,
  variable_limit_reached: 409,
  sign_in_client_limit_reached: 409,
  client_secret_limit_reached: 409,
  registry_limit_reached: 409,
  request_too_large: 413,
  unsupported_media_type: 415,
  validation_error: 422,
  action_limit_reached: 429,
  message_limit_reached: 429,
  too_many_streams: 429,
  too_many_requests: 429,
  internal_error: 500,
  unavailable: 503,
} as const

export type ErrorCode = keyof typeof errors

/** The errors of every endpoint, declared or not. */
export const commonErrors = [
  'malformed_request',
  'request_too_large',
  'unsupported_media_type',
  'too_many_requests',
  'internal_error',
  'unavailable',
] as const satisfies readonly ErrorCode[]

/** The body of an error response. `root` has a message for each field of a `validation_error`. */
export type ErrorBody = {
  code: number
  error: ErrorCode
  context?: string
  root?: Record<string, string>
}
