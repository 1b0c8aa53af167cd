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
