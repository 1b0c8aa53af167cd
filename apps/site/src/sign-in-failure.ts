/** The reason of a failed sign-in. Each has its own page. */
export type SignInFailure =
  | 'cancelled'
  | 'not_set_up'
  | 'unavailable'
  | 'not_recognized'
  | 'code_rejected'
  | 'client_rejected'
  | 'other'
  | 'session_not_stored'

export const failureStatus: Record<SignInFailure, number> = {
  cancelled: 403,
  not_set_up: 503,
  unavailable: 503,
  not_recognized: 400,
  code_rejected: 400,
  client_rejected: 502,
  other: 502,
  session_not_stored: 500,
}

/** Fields of openid-client's errors, all optional. */
type ProviderError = Error & { code?: string; error?: string; status?: number }

const byOAuthError: Record<string, SignInFailure> = {
  // RFC 6749 §4.1.2.1
  access_denied: 'cancelled',
  server_error: 'unavailable',
  temporarily_unavailable: 'unavailable',
  // RFC 6749 §5.2
  invalid_client: 'client_rejected',
  unauthorized_client: 'client_rejected',
  invalid_grant: 'code_rejected',
}

const unavailableCodes = new Set([
  'OAUTH_TIMEOUT',
  'OAUTH_ABORT',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_PARSE_ERROR',
])

/** Maps an error of the provider to a reason. */
export const classifyFailure = (problem: unknown): SignInFailure => {
  if (!(problem instanceof Error)) return 'other'
  const { name, code, error, status } = problem as ProviderError
  // RFC 6585 §4: retry later, with any body.
  if (status === 429) return 'unavailable'
  const failure = error === undefined ? undefined : byOAuthError[error]
  if (failure) return failure
  // RFC 6749 §5.2: a failed client authentication may have a WWW-Authenticate challenge instead of
  // an error code.
  if (name === 'WWWAuthenticateChallengeError' && status === 401) return 'client_rejected'
  if (status !== undefined && status >= 500) return 'unavailable'
  if (code !== undefined) return unavailableCodes.has(code) ? 'unavailable' : 'other'
  // fetch reports a network failure as a TypeError without a code.
  return problem instanceof TypeError ? 'unavailable' : 'other'
}

/** The loggable fields of an error; never the bodies of its request and response. */
export const describeFailure = (problem: unknown): Record<string, unknown> => {
  if (!(problem instanceof Error)) return { reason: String(problem) }
  const { name, code, error, status, message } = problem as ProviderError
  return { name, code, error, status, reason: message }
}
