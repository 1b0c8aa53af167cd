import { isDomainName } from '@slipway/contract/domain-name'

/** What is typed without blanks around it, capitals, a slash behind it and the dot of the root. A scheme stays: the form says that there is to be none. */
const bare = (typed: string) =>
  typed.trim().toLocaleLowerCase('en').replace(/\/$/, '').replace(/\.$/, '')

/** The domain that is meant; what was typed, where that is not beyond doubt. */
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
