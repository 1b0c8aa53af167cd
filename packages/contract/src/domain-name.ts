const label = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/

/** True for a lower-case host name of at least two labels whose last is not a number (RFC 1123 §2.1). */
export function isHostName(value: string) {
  const labels = value.split('.')
  return (
    value.length <= 253 &&
    labels.length >= 2 &&
    labels.every((part) => label.test(part)) &&
    /[a-z]/.test(labels.at(-1) ?? '')
  )
}

/**
 * True for a bare host name that a website can be served under: building a URL from it yields the
 * same host (WHATWG URL), so it has no scheme, port, path or address in disguise.
 */
export function isDomainName(value: string) {
  if (!isHostName(value)) return false
  return URL.canParse(`http://${value}`) && new URL(`http://${value}`).host === value
}
