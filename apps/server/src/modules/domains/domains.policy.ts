import { hour, minute } from '@slipway/contract/limits'
import type { DnsVerdict, ProjectDns } from '@slipway/contract/projects'

export type Found = ProjectDns['found']

/** What DNS knows of a domain; null for what it gave no answer to. */
export type Answers = {
  /** The names that its CNAME leads to, one after the other; empty when it has none. */
  chain: readonly string[] | null
  addresses: Found | null
  /** Those of the host that it should lead to. */
  own: Found | null
}

/** The host names without case and the dot at their end (RFC 4343; RFC 1034 §3.1). */
const isSame = (one: string, other: string) =>
  one.toLowerCase().replace(/\.$/, '') === other.toLowerCase().replace(/\.$/, '')

export const leadsTo = (chain: readonly string[], expected: string) =>
  chain.some((name) => isSame(name, expected))

/**
 * Whether visitors of a domain come to the host that it should lead to: by its CNAME, or, since the root of
 * a zone cannot have one (RFC 1034 §3.6.2), by the host's own addresses.
 */
export function verdictOn({ chain, addresses, own }: Answers, expected: string): DnsVerdict {
  if (chain === null) return 'unknown'
  if (leadsTo(chain, expected)) return 'correct'
  if (addresses === null) return 'unknown'
  if (addresses.length === 0) return chain.length === 0 ? 'missing' : 'different'
  if (own === null) return 'unknown'
  const values = new Set(own.map(({ value }) => value))
  return addresses.every(({ value }) => values.has(value)) ? 'correct' : 'different'
}

/** Nobody looks through more, and a stranger's server says how many there are. */
const mostFound = 16

/** The records as their owner has entered them: the CNAME and where it leads, or else the addresses. */
export const foundIn = ({ chain, addresses }: Answers): Found => {
  const names = (chain ?? []).map((value) => ({ type: 'CNAME' as const, value }))
  return (names.length > 0 ? names : (addresses ?? [])).slice(0, mostFound)
}

/** Whoever has just changed a record wants to see it; a record that was right mostly stays so. */
const whileNotCorrect = [minute, 2 * minute, 5 * minute, 10 * minute]
const later = hour
const whileCorrect = 6 * hour

/** When to ask again, after so many checks in a row that did not find it correct. */
export const nextCheckAt = (misses: number, now: Date) => {
  const delay = misses === 0 ? whileCorrect : (whileNotCorrect[misses - 1] ?? later)
  return new Date(now.getTime() + delay)
}
