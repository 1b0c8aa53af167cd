import type { Endpoint } from '@slipway/contract/endpoint'
import type { OAuthErrorCode } from '../../../apps/server/src/modules/login-provider/login-provider.problem.ts'
import { redirecting } from '../../../apps/server/src/testing/oauth-pages.ts'
import type { FuzzResponse } from '../requests/send.ts'
import { errorShapeProblem } from './shape.ts'

/** The statuses of the errors of RFC 6749 §5.2 and RFC 6750 §3.1. */
const oauthErrors: Record<OAuthErrorCode, number> = {
  invalid_request: 400,
  invalid_grant: 400,
  invalid_scope: 400,
  unsupported_grant_type: 400,
  invalid_client: 401,
  invalid_token: 401,
}

/** A redirect leads to the console, or to the stand-in of the provider on the same machine. */
const isOwnUrl = (location: string) => /^http:\/\/localhost:\d+\//.test(location)

function readJson(body: Buffer): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(body.toString())
    return typeof value === 'object' && value !== null ? { ...value } : undefined
  } catch {
    return undefined
  }
}

function isOAuthError({
  status,
  body,
  headers,
}: Pick<FuzzResponse, 'status' | 'headers' | 'body'>) {
  const { error, error_description: description, ...otherFields } = readJson(body) ?? { body }
  if (Object.keys(otherFields).length > 0) return false
  // RFC 6750 §3: a request without credentials gets no error code.
  if (error === undefined) return status === 401 && headers['www-authenticate'] !== undefined
  return oauthErrors[error as OAuthErrorCode] === status && typeof description === 'string'
}

/** Describes how a response differs from the standard of its page; undefined if it does not. */
export function problemOfPage(page: Endpoint, response: FuzzResponse): string | undefined {
  const { status, headers, body } = response
  if (status >= 400) return isOAuthError(response) ? undefined : errorShapeProblem(response)
  // A browser at another host name is redirected to the host of PUBLIC_URL.
  if (status === 307 && isOwnUrl(headers.location ?? '')) return undefined
  if (redirecting.has(page))
    return status === 303 && isOwnUrl(headers.location ?? '')
      ? undefined
      : `status ${status} to ${headers.location}`
  if (status !== 200) return `status ${status} instead of 200`
  const parsed = page.response?.safeParse(readJson(body))
  return parsed?.success
    ? undefined
    : (parsed?.error.issues
        .map(({ path, message }) => `${path.join('.')}: ${message}`)
        .join('; ') ?? 'no declared response')
}
