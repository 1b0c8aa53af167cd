import { verifyEmail } from '@slipway/contract/auth'
import { ApiError } from '@slipway/contract/client'
import { call } from '../../api/client.ts'

const attempts = new Map<string, Promise<void>>()

async function verify(token: string) {
  try {
    await call(verifyEmail, { body: { token } })
  } catch (error) {
    // Verified already, by this link or another: what the user wanted holds.
    if (!(error instanceof ApiError && error.code === 'already_verified')) throw error
  }
}

/**
 * Verifies the account that a mailed token belongs to, once however often it is asked: a token works
 * once, and React may run an effect twice. Rejects as the call does; then it may be tried again.
 */
export function verifyAccount(token: string) {
  const begun = attempts.get(token)
  if (begun) return begun
  const attempt = verify(token)
  attempts.set(token, attempt)
  attempt.catch(() => attempts.delete(token))
  return attempt
}
