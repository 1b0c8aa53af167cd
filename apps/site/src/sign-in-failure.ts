/** Why a sign-in did not come about, each with its own page. */
export type SignInFailure =
  | 'cancelled'
  | 'not_set_up'
  | 'unavailable'
  | 'not_recognised'
  | 'code_refused'
  | 'client_refused'
  | 'refused'
  | 'not_kept'

export const failureStatus: Record<SignInFailure, number> = {
  cancelled: 403,
  not_set_up: 503,
  unavailable: 503,
  not_recognised: 400,
  code_refused: 400,
  client_refused: 502,
  refused: 502,
  not_kept: 500,
}

/** What the errors of openid-client have, each some of it. */
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

/** What an error on the way to the provider and back means to the visitor. */
export const classifyFailure = (problem: unknown): SignInFailure => {
  if (!(problem instanceof Error)) return 'refused'
  const { name, code, error, status } = problem as ProviderError
  // RFC 6585 §4: it answers later, whatever its answer says besides.
  if (status === 429) return 'unavailable'
  const known = error === undefined ? undefined : byOAuthError[error]
  if (known) return known
  // RFC 6749 §5.2: a client that failed to authenticate may be told so by a challenge alone.
  if (name === 'WWWAuthenticateChallengeError' && status === 401) return 'client_refused'
  if (status !== undefined && status >= 500) return 'unavailable'
  if (code !== undefined) return unavailableCodes.has(code) ? 'unavailable' : 'refused'
  // fetch tells of a network that failed by a TypeError without a code.
  return problem instanceof TypeError ? 'unavailable' : 'refused'
}

/** What may be logged of such an error: never what was sent or received. */
export const describeFailure = (problem: unknown): Record<string, unknown> => {
  if (!(problem instanceof Error)) return { reason: String(problem) }
  const { name, code, error, status, message } = problem as ProviderError
  return { name, code, error, status, reason: message }
}
