const longestHost = 260

// A name or an IPv6 address in brackets, and perhaps a port (RFC 9110 §7.2, RFC 3986 §3.2.2).
const hostPattern = /^(?:[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_.])?|\[[0-9a-f:.]+\])(?::\d{0,5})?$/i

/** The host a request is for: lower-case, without port and trailing dot. Null when it is malformed. */
const normalizeHost = (authority: string): string | null => {
  if (authority.length > longestHost || !hostPattern.test(authority)) return null
  const bracket = authority.lastIndexOf(']')
  const colon = authority.indexOf(':', bracket + 1)
  const end = colon === -1 ? authority.length : colon
  const host = authority.slice(0, authority[end - 1] === '.' ? end - 1 : end)
  return host.toLowerCase()
}

export type Protocol = 'http' | 'https'

export type Target = {
  /** What visitors reach the gateway by: the site makes its own links with it. */
  protocol: Protocol
  host: string
  /** As the visitor wrote it, port included: what the site sees as its Host. */
  authority: string
  path: string
}

// RFC 9112 §3.2.2: in an absolute-form target the host is the target's, whatever Host says.
const absoluteForm = /^https?:\/\/([^/?#]*)(.*)$/i

/** What a request asks for; null when its target or its Host is malformed (RFC 9112 §3.2). */
export const readTarget = (
  url: string,
  hostHeader: string | undefined,
  hostCount: number,
  protocol: Protocol,
): Target | null => {
  if (hostCount !== 1 || hostHeader === undefined) return null
  let authority = hostHeader
  let path = url
  if (!url.startsWith('/')) {
    const [, urlAuthority, rest = ''] = absoluteForm.exec(url) ?? []
    if (urlAuthority === undefined) return null
    authority = urlAuthority
    path = rest.startsWith('/') ? rest : `/${rest}`
  }
  const host = normalizeHost(authority)
  return host === null ? null : { protocol, host, authority, path }
}
