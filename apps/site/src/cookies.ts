/** The path prefix of pages for signed-in users. */
export const editorPath = '/yk/app'

/**
 * Browsers accept a cookie with this prefix only from this host and over TLS: another subdomain
 * cannot set it (RFC 6265bis §4.1.3.2).
 */
const hostPrefix = '__Host-'

/**
 * The values of a Cookie header by name; a name may occur more than once (RFC 6265 §4.2.2). On a
 * `secure` visit only those with the prefix of secure cookies.
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
 * A Set-Cookie header: HttpOnly, and SameSite=Lax because the provider redirects here. Without TLS
 * the path is `editorPath`; with TLS it is `/`, which the prefix requires.
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
    : `${name}=${value}; Path=${editorPath}; ${attributes}`
}

export const clearCookie = (name: string, secure: boolean): string => setCookie(name, '', 0, secure)
