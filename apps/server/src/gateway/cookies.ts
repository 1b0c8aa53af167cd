import { domainToASCII } from 'node:url'

/** The host of a Domain attribute, parsed as browsers do (RFC 6265 §5.2.3, §5.1.2). */
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
 * Removes Domain attributes that would send the cookie to other projects' sites or to the console.
 * The cookie is then host-only. `sitesDomain` is the parent domain of all sites.
 */
export const confineCookie = (header: string, sitesDomain: string): string => {
  const reachesOthers = (attribute: string) => {
    const domain = domainOf(attribute)
    return domain !== null && (sitesDomain === domain || sitesDomain.endsWith(`.${domain}`))
  }
  const [pair = '', ...attributes] = header.split(';')
  return [pair, ...attributes.filter((attribute) => !reachesOthers(attribute))].join(';')
}
