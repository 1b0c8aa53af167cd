import { verifyEmail } from '@slipway/contract/auth'
import { ApiError } from '@slipway/contract/client'
import type { ErrorCode } from '@slipway/contract/errors'
import { call } from '../../../api/client.ts'

const attempts = new Map<string, Promise<VerificationResult>>()

/** `password_required`: this account is not signed in here, so the user must enter its password. */
export type VerificationResult = 'verified' | 'password_required'

const hasErrorCode = (error: unknown, code: ErrorCode) =>
  error instanceof ApiError && error.code === code

/** Verifies with the password chosen at sign-up; null if the user has not entered it yet. */
export async function verifyWith(token: string, password: string | null) {
  try {
    await call(verifyEmail, { body: { token, password } })
  } catch (error) {
    // Already verified, by this link or another: the goal is reached.
    if (!hasErrorCode(error, 'already_verified')) throw error
  }
}

async function verify(token: string): Promise<VerificationResult> {
  try {
    await verifyWith(token, null)
    return 'verified'
  } catch (error) {
    if (hasErrorCode(error, 'invalid_credentials')) return 'password_required'
    throw error
  }
}

/**
 * Verifies the account of an emailed token, once per token: a token works once, and React may run
 * an effect twice. Rejects as the call does; then it may be called again.
 */
export function verifyAccount(token: string): Promise<VerificationResult> {
  const runningAttempt = attempts.get(token)
  if (runningAttempt) return runningAttempt
  const attempt = verify(token)
  attempts.set(token, attempt)
  const removeAttempt = () => attempts.delete(token)
  // After a login the link works without a password.
  attempt.then((result) => result === 'password_required' && removeAttempt(), removeAttempt)
  return attempt
}
