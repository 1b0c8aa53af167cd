/** Scheme, authority without user info, then only characters that every parser reads alike. */
const plainUrl = /^https?:\/\/[^/?#@\\\s]+(?:[/?][\x21\x22\x24-\x5b\x5d-\x7e]*)?$/i

/**
 * True when the URI is on one of the origins. Compares parsed origins (WHATWG URL), never text (RFC
 * 9700 §2.1 and §4.1). Rejects a fragment (RFC 6749 §3.1.2), user info, schemes other than http and
 * https, and white space, control characters and backslashes, which parsers read differently.
 */
export function isRedirectAllowed(redirectUri: string, origins: readonly string[]) {
  return (
    plainUrl.test(redirectUri) &&
    URL.canParse(redirectUri) &&
    origins.includes(new URL(redirectUri).origin)
  )
}

/** An address of a program on the user's own machine; its port is not compared. */
const loopback = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?(?=[/?]|$)/

/** True for http at `localhost`, 127.0.0.1 or [::1], with any port (RFC 8252 §7.3). */
const isLoopbackUri = (uri: string) => loopback.test(uri) && plainUrl.test(uri) && URL.canParse(uri)

const withoutPort = (uri: string) => uri.replace(loopback, 'http://$1')

/**
 * True for an address that a customer may register: of one of the origins or of localhost, spelled
 * as parsers write it, so that an exact comparison of texts cannot be misled.
 */
export const isRegistrable = (uri: string, origins: readonly string[]) =>
  (isLoopbackUri(uri) || isRedirectAllowed(uri, origins)) &&
  [uri, `${uri}/`].includes(new URL(uri).href)

/**
 * True when the URI is exactly a registered one (RFC 9700 §2.1) and its origin is still allowed. At
 * localhost any port matches.
 */
export function isRegistered(
  uri: string,
  { registered, origins }: { registered: readonly string[]; origins: readonly string[] },
) {
  if (isLoopbackUri(uri))
    return registered.some((each) => isLoopbackUri(each) && withoutPort(each) === withoutPort(uri))
  return registered.includes(uri) && isRedirectAllowed(uri, origins)
}
