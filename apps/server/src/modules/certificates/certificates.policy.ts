import type { CertificateProblem } from './certificates.schema.ts'

export type CertificateState = 'pending' | 'active' | 'failed'

/**
 * The state of a host's certificate: `active` as long as there is a valid one, also while its
 * renewal fails.
 */
export function stateOf(
  { expiresAt, problem }: { expiresAt: Date | null; problem: CertificateProblem | null },
  now: Date,
): CertificateState {
  if (expiresAt !== null && expiresAt > now) return 'active'
  return problem === null && expiresAt === null ? 'pending' : 'failed'
}
