import { NODATA, NOTFOUND, Resolver } from 'node:dns/promises'
import { second } from '@slipway/contract/limits'
import type { Env } from '../../env/env.ts'
import { type DnsAnswers, type DnsRecords, pointsTo } from './domains.policy.ts'

/** Of one query to one server; each query is tried twice. */
const timeout = 1.5 * second
/** Of all queries for one domain. */
const deadline = 6 * second
/** Resolvers give up on longer chains, too. */
const maxChainLength = 8

/**
 * Queries the configured name servers for a domain and for the host that it should point to
 * (`expected`). Failed queries give null in the result; no DNS error is thrown.
 */
export async function lookUp(
  env: Pick<Env, 'DNS_SERVERS'>,
  domain: string,
  expected: string,
): Promise<DnsAnswers> {
  // A new resolver per lookup: c-ares caches responses, and a user who changed a record waits.
  const resolver = new Resolver({ timeout, tries: 2 })
  if (env.DNS_SERVERS.length > 0) resolver.setServers(env.DNS_SERVERS)
  const timer = setTimeout(() => resolver.cancel(), deadline)
  try {
    const { chain, ends } = await followCnames(resolver, domain, expected)
    if (chain === null || pointsTo(chain, expected))
      return { chain, addresses: [], gatewayAddresses: [] }
    // A CNAME loop has no addresses; resolvers report it as SERVFAIL.
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

/**
 * Follows the CNAMEs of a name up to `expected` or the end of the chain. `ends`: false for a loop.
 */
async function followCnames(resolver: Resolver, domain: string, expected: string) {
  const chain: string[] = []
  for (let name = domain; ; ) {
    const cnames = await query(resolver.resolveCname(name))
    if (cnames === null && chain.length === 0) return { chain: null, ends: false }
    const next = cnames?.[0]
    // A failed query for a later name ends the chain: the addresses decide.
    if (next === undefined) return { chain, ends: true }
    const isLoop = next === domain || chain.includes(next)
    chain.push(next)
    if (pointsTo([next], expected)) return { chain, ends: true }
    if (isLoop || chain.length === maxChainLength) return { chain, ends: false }
    name = next
  }
}

/** The addresses of a name; null when a query failed. */
async function addressesOf(resolver: Resolver, name: string): Promise<DnsRecords | null> {
  const [v4, v6] = await Promise.all([
    query(resolver.resolve4(name)),
    query(resolver.resolve6(name)),
  ])
  // Sorted, so that two lookups of the same records are equal.
  const records: DnsRecords = [
    ...(v4 ?? []).sort().map((value) => ({ type: 'A' as const, value })),
    ...(v6 ?? []).sort().map((value) => ({ type: 'AAAA' as const, value })),
  ]
  // Servers without AAAA support may fail the AAAA query: one family is enough.
  return records.length === 0 && (v4 === null || v6 === null) ? null : records
}

/** The records of a query: empty when there are none, null when the query failed. */
async function query(response: Promise<string[]>): Promise<string[] | null> {
  try {
    return await response
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === NOTFOUND || code === NODATA) return []
    // Refused, failed, malformed or timed out.
    if (typeof code === 'string') return null
    throw error
  }
}
