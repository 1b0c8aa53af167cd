import {
  type DomainProblemText,
  problemTextOf,
  quotedName,
} from '@slipway/contract/domain-problems'
import type { DomainStep, ProjectDomain } from '@slipway/contract/domains'
import { m } from '@slipway/phrases'

type Named = Pick<ProjectDomain, 'displayHost' | 'host' | 'zone'>

/** The problem and its remedy, for a user who has never seen DNS. */
const problemTexts: Record<
  DomainProblemText,
  (names: { host: string; name: string; zone: string }) => string
> = {
  record_missing: m.domains_problem_record_missing,
  record_elsewhere: m.domains_problem_record_elsewhere,
  ipv6_elsewhere: () => m.domains_problem_ipv6_elsewhere(),
  several_targets: m.domains_problem_several_targets,
  name_repeated: m.domains_problem_name_repeated,
  cname_at_apex: m.domains_problem_cname_at_apex,
  cname_loop: m.domains_problem_cname_loop,
  private_address: m.domains_problem_private_address,
  dnssec: () => m.domains_problem_dnssec(),
  no_response: () => m.domains_problem_no_response(),
  proof_needed: m.domains_problem_proof_needed,
  held_by_another: m.domains_problem_held_by_another,
  proxied: () => m.domains_problem_proxied(),
  unreachable: m.domains_problem_unreachable,
  some_unreachable: m.domains_problem_some_unreachable,
  other_server: m.domains_problem_other_server,
  some_other_server: m.domains_problem_some_other_server,
  caa: () => m.domains_problem_caa(),
  renewal_late: () => m.domains_problem_renewal_late(),
  refused: () => m.domains_problem_refused(),
  authority_unreachable: () => m.domains_problem_authority_unreachable(),
  rate_limited: () => m.domains_problem_rate_limited(),
  clock: () => m.domains_problem_clock(),
  internal: () => m.domains_problem_internal(),
}

/** The text of a step's problem; null without one. */
export function problemText(step: DomainStep, domain: Named) {
  const text = problemTextOf(step)
  const { displayHost: host, zone } = domain
  return text && problemTexts[text]({ host, name: quotedName(step, domain), zone })
}
