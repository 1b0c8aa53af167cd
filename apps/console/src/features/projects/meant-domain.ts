import { isDomainName } from '@slipway/contract/domain-name'

/** What is left of a pasted address without its scheme, the slash after it and the dot of the root. */
const bare = (typed: string) =>
  typed
    .trim()
    .toLocaleLowerCase('en')
    .replace(/^https?:\/\//, '')
    .replace(/\/$/, '')
    .replace(/\.$/, '')

/** The domain that somebody means who gives an address; what was typed, where that is not beyond doubt. */
export function meantDomain(typed: string) {
  const domain = bare(typed)
  return isDomainName(domain) ? domain : typed
}

/** How DNS writes a domain that has other letters than those of ASCII; null for any other text. */
export function domainInDns(typed: string) {
  const url = `http://${bare(typed)}`
  if (!/[^ -~]/.test(url) || !URL.canParse(url)) return null
  const { host, href } = new URL(url)
  return isDomainName(host) && href === `http://${host}/` ? host : null
}
