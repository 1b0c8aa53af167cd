import { verifyEmail } from '@slipway/contract/auth'
import { ApiError } from '@slipway/contract/client'
import type { ErrorCode } from '@slipway/contract/errors'
import { call } from '../../../api/client.ts'

const attempts = new Map<string, Promise<Answer>>()

/** `ask_password`: nobody is signed in here to the account, so who opened the link must say its password. */
export type Answer = 'verified' | 'ask_password'

const has = (error: unknown, code: ErrorCode) => error instanceof ApiError && error.code === code

/** Verifies with the password that was chosen at sign-up; null where it was not asked for yet. */
export async function verifyWith(token: string, password: string | null) {
  try {
    await call(verifyEmail, { body: { token, password } })
  } catch (error) {
    // Verified already, by this link or another: what the user wanted holds.
    if (!has(error, 'already_verified')) throw error
  }
}

async function verify(token: string): Promise<Answer> {
  try {
    await verifyWith(token, null)
    return 'verified'
  } catch (error) {
    if (has(error, 'invalid_credentials')) return 'ask_password'
    throw error
  }
}

/**
 * Verifies the account that a mailed token belongs to, once however often it is asked: a token works
 * once, and React may run an effect twice. Rejects as the call does; then it may be tried again.
 */
export function verifyAccount(token: string): Promise<Answer> {
  const begun = attempts.get(token)
  if (begun) return begun
  const attempt = verify(token)
  attempts.set(token, attempt)
  const forget = () => attempts.delete(token)
  // Once somebody has logged in, the link does without a password.
  attempt.then((answer) => answer === 'ask_password' && forget(), forget)
  return attempt
}
