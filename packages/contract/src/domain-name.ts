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
 * URL), so it has no scheme, port or path, and is not an IP address.
 */
export function isDomainName(value: string) {
  if (!isHostName(value)) return false
  return URL.canParse(`http://${value}`) && new URL(`http://${value}`).host === value
}

/** Registries reject them, and no two systems show them alike. */
const pictures = /\p{Extended_Pictographic}/u
/** The characters that a URL would not read as a part of the host. */
const notOfHost = /[\s/\\?#@:%[\]]/

/**
 * A domain name as DNS has it, from how people write it: in any case, with a trailing dot or slash,
 * and with letters of any language (UTS #46, as URLs have it). Any other text as it is, trimmed.
 */
export function toDomainName(text: string): string {
  const name = text.trim().replace(/\.?\/?$/, '')
  // A name in ASCII is never shorter.
  if (name.length > limits.domainMax) return name
  if (isDomainName(name.toLowerCase())) return name.toLowerCase()
  if (notOfHost.test(name) || pictures.test(name) || !URL.canParse(`http://${name}`)) return name
  const { hostname } = new URL(`http://${name}`)
  return isDomainName(hostname) ? hostname : name
}
