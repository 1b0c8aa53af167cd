import type { DomainState } from '@slipway/contract/domain-state'
import type { DnsRecord, DomainProblem } from '@slipway/contract/domains'
import { hour, minute, second } from '@slipway/contract/limits'
import { type CaaRecord, caaPermits } from './domains.caa.ts'
import type { ExaminedStep } from './domains.schema.ts'

/** The delays between checks while a user waits for the result. */
const watchedIntervals = [5, 5, 5, 5, 10, 10, 10, 10, 15, 20].map((each) => each * second)
const laterWatchedInterval = 30 * second
/** Wrong records are checked often, as they are being changed; correct ones rarely change. */
const intervals = [minute, 2 * minute, 5 * minute, 10 * minute]
const laterInterval = hour
const activeInterval = 6 * hour

type Schedule = { state: DomainState; misses: number; watchedUntil: Date | null }

/** The time of the next check, after `misses` consecutive checks with wrong records. */
export function nextCheckAt({ state, misses, watchedUntil }: Schedule, now: Date): Date {
  const isFine = state === 'active' && misses === 0
  const isWatched = watchedUntil !== null && watchedUntil > now
  // An unproven name without a miss is checked as often as after its first miss.
  const index = Math.max(misses, 1) - 1
  const delay = isWatched
    ? isFine
      ? laterWatchedInterval
      : (watchedIntervals[index] ?? laterWatchedInterval)
    : isFine
      ? activeInterval
      : (intervals[index] ?? laterInterval)
  return new Date(now.getTime() + delay)
}

/** The response of the name servers about a name. */
export type Findings = {
  /** The targets of its CNAMEs, in order; null if the name servers did not respond. */
  chain: readonly DnsRecord[] | null
  /** The CNAMEs never end. */
  isLoop: boolean
  /** Null if the name servers did not respond. */
  addresses: readonly DnsRecord[] | null
  /** The addresses of the gateway; null if unknown. */
  gateway: ReadonlySet<string> | null
  /** There are addresses, but they fail DNSSEC. */
  failsDnssec: boolean
  /** The name is the zone's own, such as example.com. */
  isZone: boolean
  /** Records that lead here, entered at `www.example.com.example.com`. */
  repeated: readonly DnsRecord[]
}

/** Who responds at an address, as far as it was tried. */
export type Responders = ReadonlyMap<string, 'gateway' | 'other' | 'nothing'>

type Hosts = {
  gatewayHost: string
  /** `{key}.SITES_DOMAIN` of the project. */
  ownHost: string
  sitesDomain: string
  isPrivate: (address: string) => boolean
}

type Judgement = {
  leadsHere: boolean | null
  /** `ownRecord` is null if the name servers did not respond. */
  proofs: { ownRecord: boolean | null; sharedRecord: boolean }
  record: ExaminedStep
}

/** Limits the stored records: a foreign name server may return any number. */
const maxRecords = 16

const step = (
  id: ExaminedStep['id'],
  state: ExaminedStep['state'],
  problem: DomainProblem | null,
  records: readonly DnsRecord[],
): ExaminedStep => ({ id, state, problem, expected: [], found: records.slice(0, maxRecords) })

const waiting = (id: ExaminedStep['id']): ExaminedStep => step(id, 'waiting', null, [])

/**
 * Judges the records of a name: by its CNAMEs or, since the name of a zone cannot have one (RFC
 * 1034 §3.6.2), by the gateway's addresses, or by who responds at other addresses.
 */
export function judgeRecord(findings: Findings, responders: Responders, hosts: Hosts): Judgement {
  const { gateway, repeated } = findings
  const addresses = findings.addresses ?? []
  const chain = findings.chain ?? []
  const ours = addresses.filter(({ value }) => gateway?.has(value))
  const others = addresses.filter(({ value }) => !gateway?.has(value))
  const proxied = others.filter(({ value }) => responders.get(value) === 'gateway')
  const elsewhere = others.filter((each) => !proxied.includes(each))

  // The first host of the service among the CNAMEs is the one that the owner entered. The host of
  // another project or region proves nothing here, although its addresses are the gateway's.
  const named = chain.find(({ value }) => value.endsWith(`.${hosts.sitesDomain}`))?.value
  const proofs = {
    ownRecord: findings.chain === null ? null : named === hosts.ownHost,
    sharedRecord: named === hosts.gatewayHost || (named === undefined && ours.length > 0),
  }
  // Our resolver may know names of its own network. Addresses that only this network knows are not
  // shown, although the owner's record leads to them.
  const isPublic = ({ value }: DnsRecord) => gateway?.has(value) || !hosts.isPrivate(value)
  const isOpen = named !== undefined || findings.isLoop || addresses.some(isPublic)
  const found = chain.length === 0 ? addresses : isOpen ? chain : chain.slice(0, 1)
  const shownAddresses = chain.length === 0 ? addresses : addresses.filter(isPublic)
  const judge = (
    leadsHere: boolean | null,
    state: ExaminedStep['state'],
    problem: DomainProblem | null = null,
    records = found,
  ): Judgement => ({ leadsHere, proofs, record: step('record', state, problem, records) })

  const isNamed = named === hosts.ownHost || named === hosts.gatewayHost
  if (!isNamed) {
    if (findings.isLoop) return judge(false, 'failed', 'cname_loop')
    if (findings.failsDnssec) return judge(false, 'failed', 'dnssec')
    if (findings.addresses === null && chain.length === 0)
      return judge(null, 'failed', 'no_response')
    if (found.length === 0)
      return repeated.length > 0
        ? judge(false, 'failed', 'name_repeated', repeated)
        : judge(false, 'failed', 'record_missing')
  }

  const leadsHere = isNamed || ours.length > 0 || proxied.length > 0
  if (findings.isZone && chain.length > 0)
    return judge(leadsHere, leadsHere ? 'warning' : 'failed', 'cname_at_apex')
  if (isNamed) return judge(true, 'done')
  if (leadsHere && elsewhere.length > 0)
    return judge(true, 'warning', problemBeside(elsewhere, hosts), shownAddresses)
  // Without the gateway's addresses a proxy cannot be distinguished from the gateway.
  if (leadsHere && (ours.length > 0 || gateway === null)) return judge(true, 'done')
  if (leadsHere) return judge(true, 'warning', 'proxied')
  if (gateway === null && addresses.length > 0) return judge(null, 'waiting')
  if (elsewhere.some(({ value }) => hosts.isPrivate(value)))
    return judge(false, 'failed', 'private_address', found)
  return judge(false, 'failed', 'record_elsewhere')
}

/** The problem of addresses beside those that lead here. */
function problemBeside(elsewhere: readonly DnsRecord[], hosts: Hosts): DomainProblem {
  if (elsewhere.some(({ value }) => hosts.isPrivate(value))) return 'private_address'
  return elsewhere.every(({ type }) => type === 'AAAA') ? 'ipv6_elsewhere' : 'several_targets'
}

export function judgeReach(
  { addresses }: Pick<Findings, 'addresses'>,
  responders: Responders,
): ExaminedStep {
  const tried = (addresses ?? []).filter(({ value }) => responders.has(value))
  const wrong = tried.filter(({ value }) => responders.get(value) !== 'gateway')
  if (tried.length === 0) return waiting('reach')
  if (wrong.length === 0) return step('reach', 'done', null, tried)
  const isOther = wrong.some(({ value }) => responders.get(value) === 'other')
  const state = wrong.length < tried.length ? 'warning' : 'failed'
  return step('reach', state, isOther ? 'other_server' : 'unreachable', wrong)
}

/** The CAA records that apply to a name, the nearest above it; null if their lookup failed. */
export type CaaFindings = { name: string; records: readonly CaaRecord[] } | null

/** Judges whether one of the certificate authorities may issue a certificate for a name. */
export function judgeCaa(
  findings: CaaFindings,
  issuers: readonly string[],
  leadsHere: boolean | null,
): ExaminedStep {
  if (issuers.length === 0) return waiting('caa')
  // An authority does not issue then (RFC 8659 §3). A name that does not lead here has that problem
  // first.
  if (findings === null)
    return leadsHere ? step('caa', 'failed', 'no_response', []) : waiting('caa')
  const { name, records } = findings
  const found = records.map(({ flags = 0, tag, value }) => ({
    type: 'CAA' as const,
    name,
    value: `${flags} ${tag} "${value}"`,
  }))
  return caaPermits(records, issuers)
    ? step('caa', 'done', null, found)
    : step('caa', 'failed', 'caa_forbids', found)
}
