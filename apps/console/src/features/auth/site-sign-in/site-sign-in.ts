import type { AuthorizationRequest } from '@slipway/contract/login-provider'

const required = ['client_id', 'redirect_uri', 'state', 'response_type'] as const
const optional = [
  'scope',
  'nonce',
  'code_challenge',
  'code_challenge_method',
  'prompt',
  'max_age',
  'request',
  'request_uri',
  'response_mode',
] as const
/** The parameters that the response adds to the redirect URI. */
const responseParameters = ['code', 'state', 'iss'] as const

export type SiteSignIn = { request: AuthorizationRequest; state: string }

/** True for an HTTP URL without response parameters. */
function isRedirectable(address: string) {
  if (!URL.canParse(address)) return false
  const { protocol, searchParams } = new URL(address)
  return /^https?:$/.test(protocol) && !responseParameters.some((name) => searchParams.has(name))
}

/**
 * Returns the authorization request in a query, or the name of the first invalid parameter:
 * missing, repeated (RFC 6749 §3.1), or a redirect URI that is not an HTTP URL.
 */
export function readSiteSignIn(
  search: Record<string, unknown>,
): SiteSignIn | { invalidParameter: string } {
  const text: Partial<Record<string, string>> = {}
  for (const name of [...required, ...optional]) {
    const value = Object.hasOwn(search, name) ? search[name] : undefined
    if (typeof value === 'string') text[name] = value
    else if (value !== undefined) return { invalidParameter: name }
  }
  const { client_id, redirect_uri, state, response_type, ...others } = text
  if (client_id === undefined) return { invalidParameter: 'client_id' }
  if (redirect_uri === undefined || !isRedirectable(redirect_uri))
    return { invalidParameter: 'redirect_uri' }
  if (state === undefined) return { invalidParameter: 'state' }
  if (response_type === undefined) return { invalidParameter: 'response_type' }
  return { request: { client_id, redirect_uri, response_type, ...others }, state }
}

/** The redirect URI with the response in its query; existing parameters stay (RFC 6749 §4.1.2). */
export function responseUrl(
  redirectUri: string,
  response: Record<(typeof responseParameters)[number], string>,
) {
  const url = new URL(redirectUri)
  url.search = [url.search.slice(1), String(new URLSearchParams(response))]
    .filter(Boolean)
    .join('&')
  return url.href
}
