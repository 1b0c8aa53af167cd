import { domainToASCII } from 'node:url'

/** The host that a Domain attribute names, as browsers read it (RFC 6265 §5.2.3, §5.1.2). */
const domainOf = (attribute: string): string | null => {
  const equals = attribute.indexOf('=')
  if (equals < 0 || attribute.slice(0, equals).trim().toLowerCase() !== 'domain') return null
  const value = attribute
    .slice(equals + 1)
    .trim()
    .replace(/^\./, '')
    .replace(/\.$/, '')
  return domainToASCII(value) || value.toLowerCase()
}

/**
 * A Set-Cookie header without the Domain attributes that would have the visitor's browser send it to
 * other projects' sites, or to the console above them: it is then the host's own. `sitesDomain` is what
 * all sites are below.
 */
export const confineCookie = (header: string, sitesDomain: string): string => {
  const reachesOthers = (attribute: string) => {
    const domain = domainOf(attribute)
    return domain !== null && (sitesDomain === domain || sitesDomain.endsWith(`.${domain}`))
  }
  const [pair = '', ...attributes] = header.split(';')
  return [pair, ...attributes.filter((one) => !reachesOthers(one))].join(';')
}
