import { ApiError } from '@slipway/contract/client'
import type { AuthorizationRequest } from '@slipway/contract/login-provider'

const optional = [
  'response_type',
  'scope',
  'nonce',
  'code_challenge',
  'code_challenge_method',
  'prompt',
  'max_age',
  'request',
  'request_uri',
  'response_mode',
  'login_ticket',
] as const
/** The parameters that the response adds to the redirect URI. */
const responseParameters = ['code', 'state', 'iss', 'error', 'error_description']

export type SiteSignIn = {
  request: AuthorizationRequest
  /** Returned to the client as it was sent; undefined if it was not sent. */
  state: string | undefined
  /** A repeated parameter: an error that the client gets. */
  repeated: string | undefined
}

/** True for an HTTP URL without response parameters. */
function isRedirectable(address: string) {
  if (!URL.canParse(address)) return false
  const { protocol, searchParams } = new URL(address)
  return /^https?:$/.test(protocol) && !responseParameters.some((name) => searchParams.has(name))
}

/**
 * Returns the authorization request in a query. Returns the name of a parameter without which no
 * response can be sent: one that is missing, repeated (RFC 6749 §3.1), or no HTTP URL.
 */
export function readSiteSignIn(
  search: Record<string, unknown>,
): SiteSignIn | { invalidParameter: string } {
  const parameter = (name: string) => (Object.hasOwn(search, name) ? search[name] : undefined)
  const [client_id, redirect_uri] = [parameter('client_id'), parameter('redirect_uri')]
  if (typeof client_id !== 'string') return { invalidParameter: 'client_id' }
  if (typeof redirect_uri !== 'string' || !isRedirectable(redirect_uri))
    return { invalidParameter: 'redirect_uri' }

  const request: AuthorizationRequest = { client_id, redirect_uri }
  let repeated: string | undefined
  for (const name of optional) {
    const value = parameter(name)
    if (typeof value === 'string') request[name] = value
    else if (value !== undefined) repeated ??= name
  }
  const state = parameter('state')
  if (state !== undefined && typeof state !== 'string') repeated ??= 'state'
  return { request, state: typeof state === 'string' ? state : undefined, repeated }
}

/** The redirect URI with the response in its query; existing parameters stay (RFC 6749 §4.1.2). */
export function responseUrl(redirectUri: string, response: Record<string, string>) {
  const url = new URL(redirectUri)
  url.search = [url.search.slice(1), String(new URLSearchParams(response))]
    .filter(Boolean)
    .join('&')
  return url.href
}

/** True for an error of the request that is sent to its client. */
export const isErrorForClient = (error: unknown) =>
  error instanceof ApiError &&
  (error.code === 'request_not_supported' ||
    error.code === 'request_uri_not_supported' ||
    (error.code === 'invalid_params' && error.context !== 'redirect_uri'))

/** The error of `prompt=none` for a user who would have to do something (Core §3.1.2.6). */
export function silentErrorOf({ status, code }: ApiError) {
  if (status === 401 || code === 'login_required') return 'login_required'
  return status < 429 ? 'interaction_required' : 'temporarily_unavailable'
}
