import type { DomainProblem, DomainStep, ProjectDomain } from '@slipway/contract/domains'
import { m } from '@slipway/phrases'

type Named = Pick<ProjectDomain, 'displayHost' | 'host' | 'zone'>

/** What is wrong and what to do, for a user who has never seen DNS. */
const problemTexts: Record<DomainProblem, (domain: Named, step: DomainStep) => string> = {
  record_missing: ({ displayHost: host }) => m.domains_problem_record_missing({ host }),
  record_elsewhere: ({ displayHost: host }) => m.domains_problem_record_elsewhere({ host }),
  ipv6_elsewhere: () => m.domains_problem_ipv6_elsewhere(),
  several_targets: ({ displayHost: host }) => m.domains_problem_several_targets({ host }),
  name_repeated: ({ host, zone }, { found }) =>
    m.domains_problem_name_repeated({ name: found[0]?.name ?? `${host}.${zone}`, zone }),
  cname_at_apex: ({ displayHost: host }) => m.domains_problem_cname_at_apex({ host }),
  cname_loop: ({ displayHost: host }) => m.domains_problem_cname_loop({ host }),
  private_address: ({ displayHost: host }) => m.domains_problem_private_address({ host }),
  dnssec: () => m.domains_problem_dnssec(),
  no_response: () => m.domains_problem_no_response(),
  proof_needed: ({ displayHost: host }) => m.domains_problem_proof_needed({ host }),
  held_by_another: ({ displayHost: host }) => m.domains_problem_held_by_another({ host }),
  proxied: () => m.domains_problem_proxied(),
  unreachable: ({ displayHost: host }) => m.domains_problem_unreachable({ host }),
  other_server: ({ displayHost: host }) => m.domains_problem_other_server({ host }),
  caa_forbids: () => m.domains_problem_caa(),
  caa: () => m.domains_problem_caa(),
  renewal_late: () => m.domains_problem_renewal_late(),
  refused: () => m.domains_problem_refused(),
  rate_limited: () => m.domains_problem_rate_limited(),
  clock: () => m.domains_problem_clock(),
  internal: () => m.domains_problem_internal(),
}

/** The text of a step's problem; null without one. */
export function problemText(step: DomainStep, domain: Named) {
  const { id, problem } = step
  if (problem === null) return null
  const isAboutAuthority = id === 'certificate' || id === 'renewal'
  if (isAboutAuthority && problem === 'unreachable')
    return m.domains_problem_authority_unreachable()
  // The step above has the record.
  if (isAboutAuthority && problem === 'caa') return m.domains_problem_refused()
  return problemTexts[problem](domain, step)
}

/** True if the TXT record proves the domain where no other record does. */
export const needsTextRecord = ({ problem }: DomainStep) =>
  problem === 'proof_needed' || problem === 'held_by_another'
