import type { DnsRecord, DomainProblem, DomainStep, ProjectDomain } from './domains.ts'

/** Names the text about a problem: its code, or another name where a code has several texts. */
export type DomainProblemText =
  | Exclude<DomainProblem, 'caa_forbids'>
  | 'authority_unreachable'
  | 'some_unreachable'
  | 'some_other_server'

/** The text of a step's problem; null without a problem. */
export function problemTextOf({ id, problem, state }: DomainStep): DomainProblemText | null {
  const isAboutAuthority = id === 'certificate' || id === 'renewal'
  if (isAboutAuthority && problem === 'unreachable') return 'authority_unreachable'
  // Another step shows the CAA record to change.
  if (isAboutAuthority && problem === 'caa') return 'refused'
  // A problem of only some of the addresses.
  if (id === 'reach' && state === 'warning')
    if (problem === 'unreachable' || problem === 'other_server') return `some_${problem}`
  return problem === 'caa_forbids' ? 'caa' : problem
}

/**
 * The name of a record in the wrong place, which a text quotes: the found one, or the name that the
 * usual mistake gives, `www.example.com.example.com`.
 */
export const quotedName = (
  { found }: DomainStep,
  { host, zone }: Pick<ProjectDomain, 'host' | 'zone'>,
) => found[0]?.name ?? `${host}.${zone}`

/** True if nothing is known about the records, so that none can be right or missing. */
export const isUnknown = ({ problem }: Pick<DomainStep, 'problem'>) =>
  problem === 'dnssec' || problem === 'no_response'

/** True if only the TXT record can prove the domain: its other records could be another team's. */
export const needsTextRecord = ({ problem }: Pick<DomainStep, 'problem'>) =>
  problem === 'proof_needed' || problem === 'held_by_another'

/** The TXT record that proves the domain in any case. */
export const textRecordOf = ({ proof }: Pick<ProjectDomain, 'proof'>): DnsRecord => ({
  type: 'TXT',
  ...proof,
})

/** The records for the owner to create, of which one suffices; empty if the step needs none. */
export function recordsToCreate(
  step: DomainStep,
  domain: Pick<ProjectDomain, 'proof'>,
): readonly DnsRecord[] {
  if (needsTextRecord(step)) return [textRecordOf(domain)]
  // A proxy works as it is.
  const isRight = step.state === 'done' || step.problem === 'proxied'
  if (isRight || isUnknown(step)) return []
  // Only the AAAA records are wrong; DNS rejects a CNAME beside the A records.
  if (step.problem === 'ipv6_elsewhere') return step.expected.filter(({ type }) => type === 'AAAA')
  return step.expected
}
