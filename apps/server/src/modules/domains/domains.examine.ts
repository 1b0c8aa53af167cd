import type { DnsRecord } from '@slipway/contract/domains'
import type { Env } from '../../env/env.ts'
import { isPublic } from '../../public-address.ts'
import { createLookup } from './domains.lookup.ts'
import { proofName } from './domains.names.ts'
import {
  type CaaFindings,
  type Findings,
  judgeCaa,
  judgeReach,
  judgeRecord,
  type Responders,
} from './domains.policy.ts'
import { providerOf } from './domains.providers.ts'
import { reachAt } from './domains.reach.ts'
import {
  addressesOf,
  caaOf,
  failsDnssec,
  freshRecordsOf,
  isBelowWildcard,
  recordsOf,
  refresh,
  repeatedOf,
  textsOf,
  zoneOf,
} from './domains.records.ts'
import type { ExaminedStep } from './domains.schema.ts'

/** A name to examine, and its expected targets. */
export type Subject = {
  host: string
  /** The host of the region's gateway, the target of the record. */
  gatewayHost: string
  /** `{key}.SITES_DOMAIN`, which leads to this project alone. */
  ownHost: string
  /** The value of the TXT record that proves the ownership. */
  token: string
  /** The response of a gateway to a random token at this host; null where no gateway responds. */
  reach: ((host: string, token: string) => string) | null
  /** The domain names of the certificate authorities (RFC 8659 §4.2); empty if none is used. */
  issuers: readonly string[]
}

export type Examination = {
  /** The proof of ownership; null where the name servers did not respond. */
  proofs: { txt: boolean | null; ownRecord: boolean | null; sharedRecord: boolean }
  /** The record may belong to a wildcard, whose owner created it for no name in particular. */
  isWildcard: boolean
  /** Whether the name leads here now, by its records or through a proxy; null if unknown. */
  leadsHere: boolean | null
  /** record, reach, caa, in this order, with the records that the owner enters. */
  steps: ExaminedStep[]
  /** An id of domains.providers.ts; null if unknown. */
  provider: string | null
}

type ExaminedEnv = Pick<Env, 'DNS_SERVERS' | 'SITES_DOMAIN' | 'SITES_URL'>

type Options = {
  /** Whether this machine may connect to an address for a customer. */
  mayConnect?: MayConnect
  dnsPort?: number
}
type MayConnect = (address: string, port: number) => boolean

/**
 * Looks a name up in DNS and connects to where it leads. Takes at most 6 s for DNS and 5 s for the
 * connections. No response of a server throws; an abort does.
 */
export async function examine(
  env: ExaminedEnv,
  subject: Subject,
  signal: AbortSignal,
  { mayConnect = isPublic, dnsPort = 53 }: Options = {},
): Promise<Examination> {
  const { host, gatewayHost, ownHost, token, issuers } = subject
  const lookup = createLookup(env, signal)
  const ends = [gatewayHost, ownHost]
  const [cached, gateway, texts, { zone, fresh }, caa] = await Promise.all([
    recordsOf(lookup, host, ends),
    addressesOf(lookup, gatewayHost),
    textsOf(lookup, proofName(host)),
    zoneOf(lookup, host).then(async (zone) => ({
      zone,
      fresh: await freshRecordsOf(lookup, host, zone.nameServers, mayConnect, dnsPort),
    })),
    issuers.length === 0 ? null : caaOf(lookup, host),
  ])
  // A name that fails DNSSEC at the resolver is not read from its name servers.
  const hasResponse = cached.cnames.chain !== null && cached.addresses.records !== null
  const current = hasResponse ? fresh : null
  const { cnames, addresses } =
    current === null ? cached : await refresh(lookup, host, ends, cached, current)
  const gatewayAddresses = gateway.records && new Set(gateway.records.map(({ value }) => value))
  const isMissing = cnames.chain?.length === 0 && addresses.records?.length === 0
  const [isBogus, repeated] = await Promise.all([
    addresses.hasFailed && failsDnssec(lookup, host),
    isMissing ? repeatedOf(lookup, zone.name, subject, gatewayAddresses) : [],
  ])
  signal.throwIfAborted()

  const findings: Findings = {
    ...cnames,
    addresses: addresses.records,
    gateway: gatewayAddresses,
    failsDnssec: isBogus,
    isZone: zone.name === host,
    repeated,
  }
  const responders = await respondersAt(env, subject, findings, mayConnect, signal)
  signal.throwIfAborted()

  const isPrivate = (address: string) => !mayConnect(address, httpPort)
  const hosts = { gatewayHost, ownHost, sitesDomain: env.SITES_DOMAIN, isPrivate }
  const { leadsHere, proofs, record } = judgeRecord(findings, responders, hosts)
  const isWildcard =
    proofs.sharedRecord && (await isBelowWildcard(lookup, host, ends, gatewayAddresses))
  signal.throwIfAborted()
  const caaStep = judgeCaa(caa, issuers, leadsHere)
  return {
    proofs: { ...proofs, txt: (current?.texts ?? texts)?.includes(token) ?? null },
    isWildcard,
    leadsHere,
    steps: [
      { ...record, expected: recordsToEnter(subject, findings.isZone, gateway.records) },
      judgeReach(findings, responders),
      { ...caaStep, expected: caaStep.problem === 'caa_forbids' ? caaToEnter(caa, issuers) : [] },
    ],
    provider: providerOf(zone.nameServers)?.id ?? null,
  }
}

/**
 * The records that the owner enters: a CNAME to the gateway, or its addresses for the name of a
 * zone, which cannot have a CNAME. Empty if the addresses are unknown.
 */
const recordsToEnter = (
  { host, gatewayHost }: Pick<Subject, 'host' | 'gatewayHost'>,
  isZone: boolean,
  addresses: readonly DnsRecord[] | null,
): DnsRecord[] =>
  isZone
    ? (addresses ?? []).map((record) => ({ ...record, name: host }))
    : [{ type: 'CNAME', name: host, value: gatewayHost }]

/** The CAA record to add to those that forbid the authorities. */
const caaToEnter = (findings: CaaFindings, issuers: readonly string[]): DnsRecord[] =>
  issuers
    .slice(0, 1)
    .map((issuer) => ({ type: 'CAA', name: findings?.name ?? '', value: `0 issue "${issuer}"` }))

const httpPort = 80
/** Addresses of each family to which this machine connects. */
const maxAddresses = 2

/** The port that visitors use without TLS. */
const portOf = ({ SITES_URL }: Pick<Env, 'SITES_URL'>) => {
  const { protocol, port } = new URL(SITES_URL)
  return protocol === 'http:' && port !== '' ? Number(port) : httpPort
}

/** Who responds at some of the addresses; those that are not the gateway's come first. */
async function respondersAt(
  env: ExaminedEnv,
  { host, reach }: Subject,
  { addresses, gateway }: Findings,
  mayConnect: MayConnect,
  signal: AbortSignal,
): Promise<Responders> {
  if (reach === null || addresses === null) return new Map()
  const port = portOf(env)
  const isOurs = ({ value }: DnsRecord) => gateway?.has(value) === true
  const allowed = [
    ...addresses.filter((each) => !isOurs(each) && mayConnect(each.value, port)),
    ...addresses.filter(isOurs),
  ]
  const tried = (['A', 'AAAA'] as const).flatMap((family) =>
    allowed.filter(({ type }) => type === family).slice(0, maxAddresses),
  )
  const reached = await Promise.all(
    tried.map(async ({ value: address }) => ({
      address,
      by: await reachAt({ host, address, port, reach }, signal),
    })),
  )
  return new Map(reached.flatMap(({ address, by }) => (by === 'unknown' ? [] : [[address, by]])))
}
