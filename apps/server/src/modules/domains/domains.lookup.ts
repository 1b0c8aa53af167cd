import { NODATA, NOTFOUND, Resolver } from 'node:dns/promises'
import { second } from '@slipway/contract/limits'
import type { Env } from '../../env/env.ts'
import { type DnsAnswers, type DnsRecords, pointsTo } from './domains.policy.ts'

/** For one question to one server; it is put twice. */
const timeout = 1.5 * second
/** For all questions about one domain. */
const deadline = 6 * second
/** Longer chains are nobody's; what resolves them gives up, too. */
const maxChainLength = 8

/**
 * Asks the configured name servers, and nobody else, about a domain and the host that it should lead to.
 * Never throws for what they answer, nor when they do not.
 */
export async function lookUp(
  env: Pick<Env, 'DNS_SERVERS'>,
  domain: string,
  expected: string,
): Promise<DnsAnswers> {
  // One for each look: it keeps answers for as long as they say, and people wait for new ones.
  const resolver = new Resolver({ timeout, tries: 2 })
  if (env.DNS_SERVERS.length > 0) resolver.setServers(env.DNS_SERVERS)
  const timer = setTimeout(() => resolver.cancel(), deadline)
  try {
    const { chain, ends } = await followCnames(resolver, domain, expected)
    if (chain === null || pointsTo(chain, expected))
      return { chain, addresses: [], gatewayAddresses: [] }
    // What leads round in a ring comes to no address, and resolvers call it a failure of theirs.
    if (!ends) return { chain, addresses: [], gatewayAddresses: [] }
    const [addresses, gatewayAddresses] = await Promise.all([
      addressesOf(resolver, domain),
      addressesOf(resolver, expected),
    ])
    return { chain, addresses, gatewayAddresses }
  } finally {
    clearTimeout(timer)
  }
}

/** Follows the CNAMEs from a name to where it should lead to, or to their end, if they have one. */
async function followCnames(resolver: Resolver, domain: string, expected: string) {
  const chain: string[] = []
  for (let name = domain; ; ) {
    const found = await query(resolver.resolveCname(name))
    if (found === null && chain.length === 0) return { chain: null, ends: false }
    const next = found?.[0]
    // Of a name further on, its addresses tell the rest.
    if (next === undefined) return { chain, ends: true }
    const isRing = next === domain || chain.includes(next)
    chain.push(next)
    if (pointsTo([next], expected)) return { chain, ends: true }
    if (isRing || chain.length === maxChainLength) return { chain, ends: false }
    name = next
  }
}

/** The addresses of a name; null when there was no answer. */
async function addressesOf(resolver: Resolver, name: string): Promise<DnsRecords | null> {
  const [v4, v6] = await Promise.all([
    query(resolver.resolve4(name)),
    query(resolver.resolve6(name)),
  ])
  // In an order of their own, so that the same ones found again are equal.
  const found: DnsRecords = [
    ...(v4 ?? []).sort().map((value) => ({ type: 'A' as const, value })),
    ...(v6 ?? []).sort().map((value) => ({ type: 'AAAA' as const, value })),
  ]
  // Servers that know no AAAA may fail when they are asked for one.
  return found.length === 0 && (v4 === null || v6 === null) ? null : found
}

/** What was answered: nothing where there is none, and null when there was no answer. */
async function query(question: Promise<string[]>): Promise<string[] | null> {
  try {
    return await question
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === NOTFOUND || code === NODATA) return []
    // Refused, failed, malformed, too late: what the name servers know is not known.
    if (typeof code === 'string') return null
    throw error
  }
}
