import { randomBytes } from 'node:crypto'
import type { DnsRecord } from '@slipway/contract/domains'
import type { TxtData } from 'dns-packet'
import { getDomain } from 'tldts'
import {
  type Lookup,
  maxChainLength,
  type NameServer,
  normalizeName,
  printable,
} from './domains.lookup.ts'
import { proofName, registeredName } from './domains.names.ts'
import type { CaaFindings, Findings } from './domains.policy.ts'

const maxValueLength = 255
const shorten = (value: string) => value.slice(0, maxValueLength)

type Cnames = Pick<Findings, 'chain' | 'isLoop'>
type Addresses = { records: DnsRecord[] | null; hasFailed: boolean }

export async function recordsOf(lookup: Lookup, host: string, ends: readonly string[]) {
  const [cnames, addresses] = await Promise.all([
    followCnames(lookup, host, ends),
    addressesOf(lookup, host),
  ])
  return { cnames, addresses }
}

/** The response of the zone's name servers about a name. */
type FreshRecords = {
  cname: string | null
  addresses: DnsRecord[]
  /** Null where the text names its own name servers. */
  texts: string[] | null
}

/** Name servers of a zone that are tried. */
const maxNameServers = 2

/**
 * The records of a name at one of its zone's own name servers. Resolvers cache that a name did not
 * exist, for up to an hour after its owner has entered it (RFC 2308 §5). Null if none responds.
 */
export async function freshRecordsOf(
  lookup: Lookup,
  host: string,
  nameServers: readonly string[],
  mayConnect: (address: string, port: number) => boolean,
  port: number,
): Promise<FreshRecords | null> {
  const lookups = await Promise.all(
    nameServers.slice(0, maxNameServers).map((name) => addressesOf(lookup, name)),
  )
  const servers = lookups
    .flatMap(({ records }) => records?.[0]?.value ?? [])
    .filter((address) => mayConnect(address, port))
    .map((address) => ({ address, port }))
  const responses = await Promise.all(servers.map((server) => recordsAt(lookup, server, host)))
  return responses.find((response) => response !== null) ?? null
}

async function recordsAt(
  lookup: Lookup,
  server: NameServer,
  host: string,
): Promise<FreshRecords | null> {
  const [cname, a, aaaa, txt] = await Promise.all([
    lookup.queryAuthority(server, host, 'CNAME'),
    lookup.queryAuthority(server, host, 'A'),
    lookup.queryAuthority(server, host, 'AAAA'),
    lookup.queryAuthority(server, proofName(host), 'TXT'),
  ])
  if (!cname || !a || !aaaa) return null
  const target = cname.records[0]?.data
  return {
    cname: target === undefined ? null : normalizeName(target),
    addresses: addressRecords(host, [...a.records, ...aaaa.records]),
    texts: txt && textsIn(txt.records),
  }
}

/** The records of a name at its name servers; the rest of a chain of CNAMEs is cached. */
export async function refresh(
  lookup: Lookup,
  host: string,
  ends: readonly string[],
  cached: Awaited<ReturnType<typeof recordsOf>>,
  fresh: FreshRecords,
): Promise<typeof cached> {
  if (fresh.cname === null)
    return {
      cnames: { chain: [], isLoop: false },
      addresses: { records: fresh.addresses, hasFailed: false },
    }
  if (cached.cnames.chain?.[0]?.value === fresh.cname) return cached
  const [cnames, addresses] = await Promise.all([
    followCnames(lookup, host, ends, fresh.cname),
    addressesOf(lookup, fresh.cname),
  ])
  return { cnames, addresses }
}

/**
 * Follows the CNAMEs of a name up to one of the hosts or the end of the chain, from `first` if its
 * own CNAME is known.
 */
async function followCnames(
  lookup: Lookup,
  host: string,
  ends: readonly string[],
  first?: string,
): Promise<Cnames> {
  const chain: DnsRecord[] = []
  for (let name = host; ; ) {
    const { status, records } =
      first !== undefined && chain.length === 0
        ? { status: 'answered', records: [{ data: first }] }
        : await lookup.query(name, 'CNAME')
    if (status !== 'answered' && chain.length === 0) return { chain: null, isLoop: false }
    const [record] = records
    // A failed query for a later name ends the chain: the addresses decide.
    if (!record) return { chain, isLoop: false }
    const value = normalizeName(record.data)
    const isLoop = value === host || chain.some((each) => each.value === value)
    chain.push({ type: 'CNAME', name, value: shorten(value) })
    if (ends.includes(value)) return { chain, isLoop: false }
    if (isLoop || chain.length === maxChainLength) return { chain, isLoop: true }
    name = value
  }
}

/**
 * The addresses of a name. Some name servers fail for types that they do not know: the records of
 * the other type count then, if there are any.
 */
export async function addressesOf(lookup: Lookup, name: string): Promise<Addresses> {
  const [a, aaaa] = await Promise.all([lookup.query(name, 'A'), lookup.query(name, 'AAAA')])
  const records = addressRecords(name, [...a.records, ...aaaa.records])
  const hasResponse = a.status === 'answered' && aaaa.status === 'answered'
  return {
    records: hasResponse || records.length > 0 ? records : null,
    hasFailed: a.status === 'failed' && records.length === 0,
  }
}

/** True if the name servers have addresses, but only for those who do not check DNSSEC. */
export async function failsDnssec(lookup: Lookup, name: string) {
  const unchecked = await lookup.query(name, 'A', { unchecked: true })
  // Once more, because the first failure may have been a short one.
  return unchecked.status === 'answered' && (await lookup.query(name, 'A')).status === 'failed'
}

const addressRecords = (name: string, records: { type: 'A' | 'AAAA'; data: string }[]) =>
  records.map(({ type, data }): DnsRecord => ({ type, name, value: data }))

/** The texts of a name; null if the name servers did not respond. */
export async function textsOf(lookup: Lookup, name: string) {
  const { status, records } = await lookup.query(name, 'TXT')
  return status === 'answered' ? textsIn(records) : null
}

/** The texts of TXT records, without the quotes that some owners enter. */
const textsIn = (records: readonly { data: TxtData }[]) =>
  // TXT texts longer than 255 bytes are split (RFC 7208 §3.3).
  records.map(({ data }) =>
    [data]
      .flat()
      .join('')
      .replace(/^[\s"]+|[\s"]+$/g, ''),
  )

async function nameServersOf(lookup: Lookup, name: string) {
  const { owner, records } = await lookup.query(name, 'NS')
  // Behind a CNAME these are the name servers of another zone.
  return owner === name ? records.map(({ data }) => normalizeName(data)) : []
}

/** Zones below the registered domain that are looked for, besides the name itself. */
const maxZones = 4

/** The name and its parents, down to one label. */
const withParents = (name: string) =>
  name.split('.').map((_, index, labels) => labels.slice(index).join('.'))

/** The zone of a name, and its name servers: the nearest name that has any. */
export async function zoneOf(lookup: Lookup, host: string) {
  const registered = getDomain(host) ?? host
  const parents = withParents(host).filter((name) => name.endsWith(registered))
  const names = [...new Set([host, ...parents.slice(-maxZones)])]
  const zones = await Promise.all(
    names.map(async (name) => ({ name, nameServers: await nameServersOf(lookup, name) })),
  )
  return (
    zones.find(({ nameServers }) => nameServers.length > 0) ?? { name: registered, nameServers: [] }
  )
}

/** The CAA records of the nearest name that has any (RFC 8659 §3). */
export async function caaOf(lookup: Lookup, host: string): Promise<CaaFindings> {
  const levels = await Promise.all(
    withParents(host).map(async (name) => ({ name, ...(await lookup.query(name, 'CAA')) })),
  )
  const level = levels.find(({ status, records }) => status !== 'answered' || records.length > 0)
  if (!level) return { name: host, records: [] }
  if (level.status !== 'answered') return null
  return {
    name: level.name,
    records: level.records.map(({ data: { flags, tag, value } }) => ({
      flags,
      tag: shorten(printable(tag)),
      value: shorten(printable(value)),
    })),
  }
}

type RepeatedSubject = { host: string; gatewayHost: string; ownHost: string; token: string }

/** Records that lead here, but at a name to which the provider added the zone's name. */
export async function repeatedOf(
  lookup: Lookup,
  zone: string,
  { host, gatewayHost, ownHost, token }: RepeatedSubject,
  gateway: ReadonlySet<string> | null,
): Promise<DnsRecord[]> {
  const name = `${host}.${zone}`
  const textName = `${proofName(host)}.${zone}`
  const [cname, addresses, texts] = await Promise.all([
    lookup.query(name, 'CNAME'),
    addressesOf(lookup, name),
    textsOf(lookup, textName),
  ])
  const targets = cname.records.map(({ data }) => normalizeName(data))
  const target = targets.find((each) => each === gatewayHost || each === ownHost)
  if (target !== undefined) return [{ type: 'CNAME', name, value: target }]
  const ours = (addresses.records ?? []).filter(({ value }) => gateway?.has(value))
  if (ours.length > 0) return ours
  return texts?.includes(token) ? [{ type: 'TXT', name: textName, value: token }] : []
}

/**
 * True if a made-up name beside the host leads here, too: the record of the host may belong to a
 * wildcard (RFC 4592). True also where the name servers do not respond.
 */
export async function isBelowWildcard(
  lookup: Lookup,
  host: string,
  ends: readonly string[],
  gateway: ReadonlySet<string> | null,
): Promise<boolean> {
  if (host === registeredName(host)) return false
  const name = `${randomBytes(8).toString('hex')}${host.slice(host.indexOf('.'))}`
  const { cnames, addresses } = await recordsOf(lookup, name, ends)
  if (cnames.chain === null) return true
  if (cnames.chain.some(({ value }) => ends.includes(value))) return true
  return addresses.records === null || addresses.records.some(({ value }) => gateway?.has(value))
}
