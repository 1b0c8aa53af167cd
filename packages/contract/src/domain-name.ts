import { limits } from './limits.ts'

const label = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/

/** True for a lower-case host name of two labels or more, the last not a number (RFC 1123 §2.1). */
export function isHostName(value: string) {
  if (value.length > limits.domainMax) return false
  const labels = value.split('.')
  return (
    labels.length >= 2 &&
    labels.every((part) => label.test(part)) &&
    /[a-z]/.test(labels.at(-1) ?? '')
  )
}

/**
 * True for a host name that a website can have: a URL built from it has the same host (WHATWG
 * URL). The URL parser rejects invalid Punycode and reads names such as `1.0x7f` as IPv4.
 */
export function isDomainName(value: string) {
  if (!isHostName(value)) return false
  return URL.canParse(`http://${value}`) && new URL(`http://${value}`).host === value
}

/** Registries reject emoji, and each system shows them in its own way. */
const emoji = /\p{Extended_Pictographic}/u
/** Characters that a host in a URL cannot contain, or that end it. */
const nonHostCharacters = /[\s/\\?#@:%[\]]/

/**
 * Converts a name that a user typed into the form that DNS uses: lower-case, without a trailing dot
 * or slash, other letters than ASCII encoded (UTS #46, as in URLs). A text that is no domain name
 * is returned trimmed, without that dot or slash.
 */
export function toDomainName(text: string): string {
  const name = text.trim().replace(/\.?\/?$/, '')
  // Too long for a domain name.
  if (name.length > limits.domainMax) return name
  if (isDomainName(name.toLowerCase())) return name.toLowerCase()
  if (nonHostCharacters.test(name) || emoji.test(name) || !URL.canParse(`http://${name}`))
    return name
  const { hostname } = new URL(`http://${name}`)
  return isDomainName(hostname) ? hostname : name
}
