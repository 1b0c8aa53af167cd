const maxHostLength = 260

// A name or a bracketed IPv6 address, with an optional port (RFC 9110 §7.2, RFC 3986 §3.2.2).
const hostPattern = /^(?:[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_.])?|\[[0-9a-f:.]+\])(?::\d{0,5})?$/i

/** Lowercases, drops port and trailing dot. Null when malformed. */
const normalizeHost = (authority: string): string | null => {
  if (authority.length > maxHostLength || !hostPattern.test(authority)) return null
  const bracket = authority.lastIndexOf(']')
  const colon = authority.indexOf(':', bracket + 1)
  const end = colon === -1 ? authority.length : colon
  const host = authority.slice(0, authority[end - 1] === '.' ? end - 1 : end)
  return host.toLowerCase()
}

export type Protocol = 'http' | 'https'

export type Target = {
  /** The protocol of the visitor, with which the site builds its links. */
  protocol: Protocol
  host: string
  /** The visitor's Host, port included, unchanged. The site gets it as its Host. */
  authority: string
  path: string
  /** The visitor's address, also behind proxies of `TRUST_PROXY`. */
  client: string
}

// RFC 9112 §3.2.2: the host of an absolute-form target overrides the Host header.
const absoluteForm = /^https?:\/\/([^/?#]*)(.*)$/i

/** The target of a request; null when the target or Host is malformed (RFC 9112 §3.2). */
export const readTarget = (
  url: string,
  hostHeader: string | undefined,
  hostCount: number,
  protocol: Protocol,
  client: string,
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
  return host === null ? null : { protocol, host, authority, path, client }
}
