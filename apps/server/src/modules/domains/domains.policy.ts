import { hour, minute } from '@slipway/contract/limits'
import type { DnsVerdict, ProjectDns } from '@slipway/contract/projects'

export type DnsRecords = ProjectDns['found']

/** The DNS of a domain; null where a query failed. */
export type DnsAnswers = {
  /** The targets of its CNAMEs, in order; empty without a CNAME. */
  chain: readonly string[] | null
  addresses: DnsRecords | null
  /** The addresses of the host that it should point to. */
  gatewayAddresses: DnsRecords | null
}

/** Compares host names without case and trailing dot (RFC 4343; RFC 1034 §3.1). */
const isSame = (one: string, other: string) =>
  one.toLowerCase().replace(/\.$/, '') === other.toLowerCase().replace(/\.$/, '')

export const pointsTo = (chain: readonly string[], expected: string) =>
  chain.some((name) => isSame(name, expected))

/**
 * Whether a domain points to the expected host: by its CNAME or, since the apex of a zone cannot
 * have one (RFC 1034 §3.6.2), by the host's addresses.
 */
export function verdictOf(
  { chain, addresses, gatewayAddresses }: DnsAnswers,
  expected: string,
): DnsVerdict {
  if (chain === null) return 'unknown'
  if (pointsTo(chain, expected)) return 'correct'
  if (addresses === null) return 'unknown'
  if (addresses.length === 0) return chain.length === 0 ? 'missing' : 'different'
  if (gatewayAddresses === null) return 'unknown'
  const values = new Set(gatewayAddresses.map(({ value }) => value))
  return addresses.every(({ value }) => values.has(value)) ? 'correct' : 'different'
}

/** Limits the stored records: a foreign name server may return any number. */
const maxRecords = 16

/** The records as their owner entered them: the CNAME chain, or else the addresses. */
export const recordsOf = ({ chain, addresses }: DnsAnswers): DnsRecords => {
  const names = (chain ?? []).map((value) => ({ type: 'CNAME' as const, value }))
  return (names.length > 0 ? names : (addresses ?? [])).slice(0, maxRecords)
}

/** Wrong records are checked often, as they are being changed; correct ones rarely change. */
const incorrectIntervals = [minute, 2 * minute, 5 * minute, 10 * minute]
const laterInterval = hour
const correctInterval = 6 * hour

/** The time of the next check, after `misses` checks in a row with another verdict than correct. */
export const nextCheckAt = (misses: number, now: Date) => {
  const delay = misses === 0 ? correctInterval : (incorrectIntervals[misses - 1] ?? laterInterval)
  return new Date(now.getTime() + delay)
}
