import { classifyFailure } from './sign-in-failure.ts'

// What the errors of openid-client say when an address or a key is not what it was.
const outdatedCodes = new Set([
  'OAUTH_KEY_SELECTION_FAILED',
  'OAUTH_MISSING_SERVER_METADATA',
  'OAUTH_INVALID_SERVER_METADATA',
])

/**
 * True when what is known of the provider may no longer be so, and it has to be found anew: it knows us or
 * an address no more, it signs with another key, or it is not reached at all. In that last case the next
 * visitor hears of it from us, and is not sent to where nobody answers.
 */
export const isOutdated = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false
  const { code = '', cause } = error as Error & { code?: string }
  // Anybody can bring about an error that is told in the address of the callback.
  if (code === 'OAUTH_AUTHORIZATION_RESPONSE_ERROR') return false
  return (
    classifyFailure(error) === 'client_refused' ||
    outdatedCodes.has(code) ||
    code === 'OAUTH_TIMEOUT' ||
    (error instanceof TypeError && code === '') ||
    (cause instanceof Response && [404, 405, 410].includes(cause.status))
  )
}

/** RFC 6750 §3.1: the token is expired, revoked or its owner gone, or no longer reaches this far. */
export const isRefusal = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false
  const { name, status } = error as Error & { status?: number }
  return name === 'WWWAuthenticateChallengeError' && (status === 401 || status === 403)
}
