/** A plain web address: scheme, authority without a user name, then nothing a parser could read twice. */
const webAddress = /^https?:\/\/[^/?#@\\\s]+(?:[/?][\x21\x22\x24-\x5b\x5d-\x7e]*)?$/i

/**
 * True when the address lies on one of those origins. Both are parsed (WHATWG URL) and compared as
 * origins, never as text (RFC 9700 §2.1 and §4.1); what has no place in an address to send a code to is
 * refused: a fragment (RFC 6749 §3.1.2), a user name, a scheme other than http and https, and white
 * space, control characters or back slashes, which parsers read in different ways.
 */
export function isRedirectAllowed(redirectUri: string, origins: readonly string[]) {
  return (
    webAddress.test(redirectUri) &&
    URL.canParse(redirectUri) &&
    origins.includes(new URL(redirectUri).origin)
  )
}
