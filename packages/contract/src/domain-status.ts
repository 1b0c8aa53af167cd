import type { DomainState } from './domain-state.ts'
import type { DomainStep, ProjectDomain } from './domains.ts'

/** The state that is shown: the worst of a domain that works and of its steps. */
export type DomainStatus =
  | DomainState
  | 'certificate_pending'
  | 'certificate_late'
  | 'certificate_failed'
  | 'renewal_failed'
  /** The domain works, but its owner should look at one of its steps. */
  | 'warning'

/** A proxy works as it is. */
const hasProblem = ({ state, problem }: DomainStep) =>
  state === 'failed' || (state === 'warning' && problem !== 'proxied')

export function domainStatus({
  state,
  certificate,
  steps,
}: Pick<ProjectDomain, 'state' | 'certificate' | 'steps'>): DomainStatus {
  if (state !== 'active') return state
  if (certificate?.state === 'failed') return 'certificate_failed'
  const problems = steps.filter(hasProblem)
  if (problems.some(({ problem }) => problem === 'renewal_late')) return 'certificate_late'
  if (problems.some(({ id }) => id === 'renewal')) return 'renewal_failed'
  if (problems.length > 0) return 'warning'
  return certificate?.state === 'pending' ? 'certificate_pending' : 'active'
}

/** True if visitors reach the site at the domain by https. */
export const isSecure = ({ state, certificate }: Pick<ProjectDomain, 'state' | 'certificate'>) =>
  state === 'active' && certificate?.state === 'active'

/** False on a development machine, which accepts a domain without a check. */
export const isChecked = ({ nextCheckAt }: Pick<ProjectDomain, 'nextCheckAt'>) =>
  nextCheckAt !== null

/** True if the domain works, has its certificate if any are issued, and has no failed step. */
export const isConnected = ({
  state,
  certificate,
  steps,
}: Pick<ProjectDomain, 'state' | 'certificate' | 'steps'>) =>
  state === 'active' &&
  (certificate === null || certificate.state === 'active') &&
  steps.every((step) => step.state !== 'failed' && step.problem !== 'renewal_late')

/** True for a step of a new domain that only waits for the owner's record. */
export const isToDo = (
  { state, problem }: DomainStep,
  { provenAt }: Pick<ProjectDomain, 'provenAt'>,
) => state === 'failed' && provenAt === null && problem === 'record_missing'
