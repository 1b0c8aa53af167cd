/** The area of the site where people are signed in. */
export const appPath = '/yk/app'

/**
 * Browsers take a cookie of such a name from this very host alone, over TLS: no site of a neighbouring
 * host can put one of its own beside it (RFC 6265bis §4.1.3.2).
 */
const hostPrefix = '__Host-'

/**
 * The values of a Cookie header by name; a name may come more than once (RFC 6265 §4.2.2). On a `secure`
 * visit those alone that `setCookie` may have set on one.
 */
export const readCookies = (
  header: string | undefined,
  secure: boolean,
): [name: string, value: string][] => {
  const prefix = secure ? hostPrefix : ''
  return (header ?? '').split(';').flatMap((pair) => {
    const equals = pair.indexOf('=')
    const name = pair.slice(0, Math.max(equals, 0)).trim()
    if (name === '' || !name.startsWith(prefix)) return []
    return [[name.slice(prefix.length), pair.slice(equals + 1).trim()]]
  })
}

/**
 * A Set-Cookie header that no script can read and that other sites' requests do not carry, but for
 * the links and redirects that lead here (SameSite=Lax): the way back from the provider is one. Without
 * TLS it is sent to the area of the signed in alone; the prefix that guards it with TLS wants all paths.
 */
export const setCookie = (
  name: string,
  value: string,
  maxAgeSeconds: number,
  secure: boolean,
): string => {
  const attributes = `Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax`
  return secure
    ? `${hostPrefix}${name}=${value}; Path=/; ${attributes}; Secure`
    : `${name}=${value}; Path=${appPath}; ${attributes}`
}

export const clearCookie = (name: string, secure: boolean): string => setCookie(name, '', 0, secure)
