import { day } from '@slipway/contract/limits'
import type { TeamId } from '@slipway/contract/teams'
import { latest } from '../../clock.ts'
import type { Examination } from './domains.examine.ts'
import { nextCheckAt } from './domains.policy.ts'
import type { DomainProof, ExaminedStep } from './domains.schema.ts'
import type { Domain, OwnedDomain, ReleasedDomain } from './domains.store.ts'

/** Whether a name belongs to the project: its proof, or why not. */
export type Verdict =
  | { proof: DomainProof }
  | { problem: 'not_proven' | 'proof_needed' | 'held_by_another' }

type Evidence = {
  /** Null where names need no proof. */
  examination: Examination | null
  /** The examination for the project that has the name now; null if it was not needed. */
  holderExamination: Examination | null
  /** The same host at other projects. */
  rivals: readonly Pick<OwnedDomain, 'state' | 'teamId'>[]
  /** Proven parent names. */
  parents: readonly Pick<OwnedDomain, 'teamId'>[]
  /** The name and its parents, if teams have released them. */
  released: readonly Pick<ReleasedDomain, 'teamId'>[]
  /** The service has a name of the same registered domain, whose records its operator created. */
  isOperatorDomain: boolean
}

/** The proof by a record that only this project's owner can have created. */
const ownProof = ({ proofs }: Examination): DomainProof | null => {
  if (proofs.txt) return 'txt'
  return proofs.ownRecord ? 'own_record' : null
}

/** False once its records no longer prove a name; true while no name server responds. */
const mayHaveOwnProof = (examination: Examination | null) =>
  examination !== null &&
  (examination.proofs.txt !== false || examination.proofs.ownRecord !== false)

/**
 * Decides whether a project gets a pending name. A record of the project proves the name, unless
 * its present owner has one, too. The record that all projects of a region share proves it only
 * while no other team has added the name, had it last, or has a parent name: the owner of the name
 * may have created the record for that team, or, as the operator of the service, for none. Nor does
 * the record of a wildcard prove it, except to the team that has a parent name.
 */
export function decideOwnership(
  { teamId }: { teamId: TeamId },
  { examination, holderExamination, rivals, parents, released, isOperatorDomain }: Evidence,
): Verdict {
  const isProvenElsewhere = rivals.some(({ state }) => state !== 'pending')
  if (examination === null)
    return isProvenElsewhere ? { problem: 'held_by_another' } : { proof: 'none' }
  const proof = ownProof(examination)
  if (proof !== null)
    return isProvenElsewhere && mayHaveOwnProof(holderExamination)
      ? { problem: 'held_by_another' }
      : { proof }
  // Behind a proxy that is not ours, records say nothing about the owner.
  if (!examination.proofs.sharedRecord)
    return { problem: examination.leadsHere ? 'proof_needed' : 'not_proven' }
  if (isProvenElsewhere) return { problem: 'held_by_another' }
  const isContested = [...rivals, ...parents, ...released].some((each) => each.teamId !== teamId)
  const hasParent = parents.some((each) => each.teamId === teamId)
  if (isContested || isOperatorDomain || (examination.isWildcard && !hasParent))
    return { problem: 'proof_needed' }
  return { proof: 'shared_record' }
}

/** The time between two emails about a failing name, in milliseconds. */
const reportInterval = day

/** Whether the team gets an email that its name fails, at most once a day. */
function isReportDue(before: Domain, state: Domain['state'], now: Date) {
  const { failureReported, failureReportedAt } = before
  if (state !== 'failed' || failureReported) return false
  // A name that never worked has not failed.
  if (failureReportedAt === null) return before.state === 'active'
  return now.getTime() - failureReportedAt.getTime() >= reportInterval
}

/** The consecutive misses after which a working name fails. */
const missesUntilFailed = 3

type Change = Pick<
  Domain,
  | 'state'
  | 'proof'
  | 'provenAt'
  | 'steps'
  | 'provider'
  | 'checkedAt'
  | 'misses'
  | 'nextCheckAt'
  | 'failureReported'
  | 'failureReportedAt'
>

/** Adds the problem of the verdict to the record step, unless DNS has another one. */
function withVerdict(steps: readonly ExaminedStep[], verdict: Verdict): ExaminedStep[] {
  if (!('problem' in verdict) || verdict.problem === 'not_proven') return [...steps]
  const { problem } = verdict
  return steps.map((step) =>
    step.id === 'record' && (step.state === 'done' || step.state === 'warning')
      ? { ...step, state: 'failed', problem }
      : step,
  )
}

function provenState({ state }: Domain, leadsHere: boolean | null, misses: number) {
  if (leadsHere === null) return state
  if (leadsHere) return 'active'
  return state === 'active' && misses < missesUntilFailed ? 'active' : 'failed'
}

/** The stored name after an examination, and the notice to its team. */
export function afterExamination(
  before: Domain,
  verdict: Verdict,
  examination: Examination | null,
  now: Date,
): { change: Change; news: 'failed' | 'recovered' | null } {
  // Servers' clocks differ: the time of the last check never decreases.
  const checkedAt = latest(now, before.checkedAt ?? now)
  const leadsHere = examination ? examination.leadsHere : true
  const isProvenNow = before.state === 'pending' && 'proof' in verdict
  const misses = leadsHere === true && before.state !== 'pending' ? 0 : before.misses + 1
  const proven = { ...before, state: 'failed' as const }
  const state =
    before.state === 'pending' && !isProvenNow
      ? ('pending' as const)
      : provenState(isProvenNow ? proven : before, leadsHere, misses)
  const reportsFailure = isReportDue(before, state, now)
  const hasRecovered = before.failureReported && state === 'active'
  const next = { state, misses: isProvenNow ? 0 : misses, watchedUntil: before.watchedUntil }
  return {
    change: {
      state,
      proof: isProvenNow ? verdict.proof : before.proof,
      provenAt: isProvenNow ? checkedAt : before.provenAt,
      steps: examination
        ? withVerdict(examination.steps, before.state === 'pending' ? verdict : { proof: 'none' })
        : [],
      provider: examination?.provider ?? before.provider,
      checkedAt,
      misses: next.misses,
      nextCheckAt: nextCheckAt(next, now),
      failureReported: reportsFailure || (before.failureReported && !hasRecovered),
      failureReportedAt: reportsFailure ? now : before.failureReportedAt,
    },
    news: reportsFailure ? 'failed' : hasRecovered ? 'recovered' : null,
  }
}
