import { isDomainName } from '@slipway/contract/domain-name'

/** Trims, lowercases, drops a trailing slash or dot. Keeps a scheme, which the form rejects. */
const bare = (typed: string) =>
  typed.trim().toLocaleLowerCase('en').replace(/\/$/, '').replace(/\.$/, '')

/** The normalized domain; the text unchanged if that is not a domain name. */
export function normalizeDomain(typed: string) {
  const domain = bare(typed)
  return isDomainName(domain) ? domain : typed
}

/** The ASCII form (Punycode) of a domain with other letters; null for any other text. */
export function asciiDomain(typed: string) {
  const url = `http://${bare(typed)}`
  if (!/[^ -~]/.test(url) || !URL.canParse(url)) return null
  const { host, href } = new URL(url)
  return isDomainName(host) && href === `http://${host}/` ? host : null
}
