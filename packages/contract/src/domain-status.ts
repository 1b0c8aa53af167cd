import type { DomainState } from './domain-state.ts'
import type { ProjectDomain } from './domains.ts'

/** The state that is shown: a domain that works may wait for its certificate. */
export type DomainStatus =
  | DomainState
  | 'certificate_pending'
  | 'certificate_late'
  | 'certificate_failed'

export function domainStatus({
  state,
  certificate,
  steps,
}: Pick<ProjectDomain, 'state' | 'certificate' | 'steps'>): DomainStatus {
  if (state !== 'active' || certificate === null) return state
  if (certificate.state !== 'active') return `certificate_${certificate.state}`
  const isLate = steps.some(({ problem }) => problem === 'renewal_late')
  return isLate ? 'certificate_late' : 'active'
}

/** True if visitors reach the site at the domain by https. */
export const isSecure = ({ state, certificate }: Pick<ProjectDomain, 'state' | 'certificate'>) =>
  state === 'active' && certificate?.state === 'active'

/** False on a development machine, which accepts a domain without a check. */
export const isChecked = ({ nextCheckAt }: Pick<ProjectDomain, 'nextCheckAt'>) =>
  nextCheckAt !== null

/** True if the domain works, has its certificate if any are issued, and has no problem. */
export const isConnected = (domain: Pick<ProjectDomain, 'state' | 'certificate' | 'steps'>) =>
  domainStatus(domain) === 'active' && domain.steps.every(({ state }) => state !== 'failed')
