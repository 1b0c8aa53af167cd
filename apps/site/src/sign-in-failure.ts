/** The reason of a failed sign-in. Each has its own page. */
export type SignInFailure =
  | 'cancelled'
  | 'not_set_up'
  | 'unavailable'
  | 'not_recognized'
  | 'code_refused'
  | 'client_refused'
  | 'refused'
  | 'not_kept'

export const failureStatus: Record<SignInFailure, number> = {
  cancelled: 403,
  not_set_up: 503,
  unavailable: 503,
  not_recognized: 400,
  code_refused: 400,
  client_refused: 502,
  refused: 502,
  not_kept: 500,
}

/** Fields of openid-client's errors, all optional. */
type ProviderError = Error & { code?: string; error?: string; status?: number }

const byOAuthError: Record<string, SignInFailure> = {
  // RFC 6749 §4.1.2.1
  access_denied: 'cancelled',
  server_error: 'unavailable',
  temporarily_unavailable: 'unavailable',
  // RFC 6749 §5.2
  invalid_client: 'client_refused',
  unauthorized_client: 'client_refused',
  invalid_grant: 'code_refused',
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
  if (!(problem instanceof Error)) return 'refused'
  const { name, code, error, status } = problem as ProviderError
  // RFC 6585 §4: retry later, with any body.
  if (status === 429) return 'unavailable'
  const known = error === undefined ? undefined : byOAuthError[error]
  if (known) return known
  // RFC 6749 §5.2: a failed client authentication may be only a challenge.
  if (name === 'WWWAuthenticateChallengeError' && status === 401) return 'client_refused'
  if (status !== undefined && status >= 500) return 'unavailable'
  if (code !== undefined) return unavailableCodes.has(code) ? 'unavailable' : 'refused'
  // fetch reports a network failure as a TypeError without a code.
  return problem instanceof TypeError ? 'unavailable' : 'refused'
}

/** The loggable fields of an error: never what was sent or received. */
export const describeFailure = (problem: unknown): Record<string, unknown> => {
  if (!(problem instanceof Error)) return { reason: String(problem) }
  const { name, code, error, status, message } = problem as ProviderError
  return { name, code, error, status, reason: message }
}
