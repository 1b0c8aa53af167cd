import { classifyFailure } from './sign-in-failure.ts'

// Errors of openid-client after a URL or a key of the provider has changed.
const outdatedCodes = new Set([
  'OAUTH_KEY_SELECTION_FAILED',
  'OAUTH_MISSING_SERVER_METADATA',
  'OAUTH_INVALID_SERVER_METADATA',
])

/**
 * True when the cached metadata may be outdated and discovery must be repeated: client or URL
 * unknown, signed with another key, or unreachable. If unreachable, the next sign-in then fails
 * here instead of redirecting to a dead URL.
 */
export const isOutdated = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false
  const { code = '', cause } = error as Error & { code?: string }
  // A link can contain a forged error in the callback URL.
  if (code === 'OAUTH_AUTHORIZATION_RESPONSE_ERROR') return false
  return (
    classifyFailure(error) === 'client_rejected' ||
    outdatedCodes.has(code) ||
    code === 'OAUTH_TIMEOUT' ||
    (error instanceof TypeError && code === '') ||
    (cause instanceof Response && [404, 405, 410].includes(cause.status))
  )
}

/** RFC 6750 §3.1: the token is expired, revoked or lacks the scope. */
export const isRejection = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false
  const { name, status } = error as Error & { status?: number }
  return name === 'WWWAuthenticateChallengeError' && (status === 401 || status === 403)
}
