import { domainToUnicode } from 'node:url'
import type { FormMessage } from '@slipway/contract/form-messages'
import { limits } from '@slipway/contract/limits'
import { getDomain, parse } from 'tldts'
import { type Env, isLoopbackHost } from '../../env/env.ts'
import { skeletonOf } from './domains.confusables.ts'

type NamesEnv = Pick<Env, 'PUBLIC_URL' | 'SITES_DOMAIN'>

/** Why no project can have this name, which is a domain name in ASCII; null if one can. */
export function nameProblem(env: NamesEnv, host: string): FormMessage | null {
  const publicHost = new URL(env.PUBLIC_URL).hostname
  if (isReserved(host, env.SITES_DOMAIN) || isReserved(host, publicHost))
    return 'form_domain_reserved'
  if (isUnknown(host, isLoopbackHost(publicHost))) return 'form_enter_domain'
  if (parse(host, { allowPrivateDomains: true }).publicSuffix === host) return 'form_domain_public'
  if (isLookAlike(host, [env.SITES_DOMAIN, publicHost])) return 'form_domain_look_alike'
  if (proofName(host).length > limits.domainMax) return 'form_domain_too_long'
  return null
}

/**
 * True for the service's own domain and names below it. All programs share `localhost`: below it
 * only the names of projects are reserved.
 */
function isReserved(host: string, ownHost: string) {
  if (host === ownHost) return true
  if (!host.endsWith(`.${ownHost}`)) return false
  return ownHost !== 'localhost' || host.split('.').length === 2
}

/** The name of the TXT record that proves the ownership of a host. */
export const proofName = (host: string) => `_slipway.${host}`

export const registeredName = (host: string) =>
  getDomain(host, { allowPrivateDomains: true }) ?? host

/** True for a name of the domain that the operator registered for the service. */
export const isOperatorDomain = (env: NamesEnv, host: string) =>
  [env.SITES_DOMAIN, new URL(env.PUBLIC_URL).hostname]
    .map(registeredName)
    .includes(registeredName(host))

/** Special-use names that a developer may use: `PUBLIC_URL` is loopback. */
const ofDevelopment = /(^|\.)(test|localhost|example|example\.(com|net|org))$/

/** Names that DNS does not have (RFC 6761), or whose top-level domain does not exist. */
function isUnknown(host: string, isDevelopment: boolean) {
  if (ofDevelopment.test(host)) return !isDevelopment
  const { isIcann, isPrivate, isSpecialUse } = parse(host, {
    allowPrivateDomains: true,
    detectSpecialUse: true,
  })
  return isSpecialUse === true || !(isIcann || isPrivate) || host.endsWith('.arpa')
}

/** Scripts with letters that look alike. No language mixes them in a word. */
const scripts = ['Latin', 'Cyrillic', 'Greek', 'Armenian', 'Coptic', 'Cherokee'].map(
  (script) => new RegExp(`\\p{Script=${script}}`, 'u'),
)

const mixesScripts = (label: string) => scripts.filter((script) => script.test(label)).length > 1

/** The labels of a registered domain that its owner chose: `slipway` of console.slipway.example. */
const brandOf = (host: string) => parse(host).domainWithoutSuffix

/** True for names that a user could take for a name of the service (UTS #39). */
function isLookAlike(host: string, ownHosts: readonly string[]) {
  const labels = domainToUnicode(host).split('.')
  if (labels.some(mixesScripts)) return true
  const parts = labels.flatMap((label) => [label, ...label.split('-')])
  const brands = ownHosts.map(brandOf).filter((brand) => brand !== null)
  return brands.some((brand) =>
    parts.some((part) => part !== brand && skeletonOf(part) === skeletonOf(brand)),
  )
}
