import { isDomainName } from '@slipway/contract/domain-name'

/** Trims, lowercases, drops a trailing slash or dot. Keeps a scheme, which the form rejects. */
const trimDomain = (text: string) =>
  text.trim().toLocaleLowerCase('en').replace(/\/$/, '').replace(/\.$/, '')

/** The normalized domain; the text unchanged if that is not a domain name. */
export function normalizeDomain(text: string) {
  const domain = trimDomain(text)
  return isDomainName(domain) ? domain : text
}

/** The ASCII form (Punycode) of a domain with other letters; null for any other text. */
export function asciiDomain(text: string) {
  const url = `http://${trimDomain(text)}`
  if (!/[^ -~]/.test(url) || !URL.canParse(url)) return null
  const { host, href } = new URL(url)
  return isDomainName(host) && href === `http://${host}/` ? host : null
}
