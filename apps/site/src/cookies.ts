/** The area of the site where people are signed in; its cookies are sent nowhere else. */
export const appPath = '/yk/app'

/** The values of a Cookie header by name; a name may come more than once (RFC 6265 §4.2.2). */
export const readCookies = (header: string | undefined): [name: string, value: string][] =>
  (header ?? '').split(';').flatMap((pair) => {
    const equals = pair.indexOf('=')
    return equals < 1 ? [] : [[pair.slice(0, equals).trim(), pair.slice(equals + 1).trim()]]
  })

/**
 * A Set-Cookie header that no script can read and that other sites' requests do not carry, but for
 * the links and redirects that lead here (SameSite=Lax): the way back from the provider is one.
 */
export const setCookie = (
  name: string,
  value: string,
  maxAgeSeconds: number,
  secure: boolean,
): string =>
  `${name}=${value}; Path=${appPath}; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${
    secure ? '; Secure' : ''
  }`

export const clearCookie = (name: string, secure: boolean): string => setCookie(name, '', 0, secure)
