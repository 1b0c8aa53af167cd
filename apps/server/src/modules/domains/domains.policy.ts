import { hour, minute } from '@slipway/contract/limits'
import type { DnsVerdict, ProjectDns } from '@slipway/contract/projects'

export type DnsRecords = ProjectDns['found']

/** What DNS knows of a domain; null for what it gave no answer to. */
export type DnsAnswers = {
  /** The names that its CNAME leads to, one after the other; empty when it has none. */
  chain: readonly string[] | null
  addresses: DnsRecords | null
  /** Those of the host that it should lead to. */
  gatewayAddresses: DnsRecords | null
}

/** The host names without case and the dot at their end (RFC 4343; RFC 1034 §3.1). */
const isSame = (one: string, other: string) =>
  one.toLowerCase().replace(/\.$/, '') === other.toLowerCase().replace(/\.$/, '')

export const pointsTo = (chain: readonly string[], expected: string) =>
  chain.some((name) => isSame(name, expected))

/**
 * Whether visitors of a domain come to the host that it should lead to: by its CNAME, or, since the root of
 * a zone cannot have one (RFC 1034 §3.6.2), by the host's own addresses.
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

/** Nobody looks through more, and a stranger's server says how many there are. */
const maxRecords = 16

/** The records as their owner has entered them: the CNAME and where it leads, or else the addresses. */
export const recordsOf = ({ chain, addresses }: DnsAnswers): DnsRecords => {
  const names = (chain ?? []).map((value) => ({ type: 'CNAME' as const, value }))
  return (names.length > 0 ? names : (addresses ?? [])).slice(0, maxRecords)
}

/** Whoever has just changed a record wants to see it; a record that was right mostly stays so. */
const incorrectIntervals = [minute, 2 * minute, 5 * minute, 10 * minute]
const later = hour
const correctInterval = 6 * hour

/** When to ask again, after so many checks in a row that did not find it correct. */
export const nextCheckAt = (misses: number, now: Date) => {
  const delay = misses === 0 ? correctInterval : (incorrectIntervals[misses - 1] ?? later)
  return new Date(now.getTime() + delay)
}
