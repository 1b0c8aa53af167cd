import { limits, minute } from '@slipway/contract/limits'
import { parseLoginRecord } from './login-state.ts'

export type ExternalLoginReturnError =
  | 'state_not_found'
  | 'invalid_state'
  | 'expired_state'
  | 'mismatched_state'
  | 'missing_token_in_query'

export type ExternalLoginResult =
  | { code: string; state: string; next: string | undefined }
  | { error: ExternalLoginReturnError; next?: string | undefined }

/** How far the clock may be set back before the record counts as invalid. */
const clockStep = minute

/** Returns a parameter that occurs once; repeated ones are invalid (RFC 6749 §3.1). */
const single = (query: URLSearchParams, name: string) => {
  const values = query.getAll(name)
  return values.length === 1 ? values[0] : undefined
}

/**
 * Returns the code of a completed external login if its stored record is readable and fresh;
 * otherwise the first error. The code is the `token` of the query. `logins` maps states to stored
 * records, `now` is in milliseconds.
 */
export function checkExternalLogin(
  logins: ReadonlyMap<string, string>,
  query: URLSearchParams,
  now: number,
): ExternalLoginResult {
  if (logins.size === 0) return { error: 'state_not_found' }
  const state = single(query, 'state') ?? ''
  const stored = logins.get(state)
  if (stored === undefined) return { error: 'mismatched_state' }
  const record = parseLoginRecord(stored)
  if (!record) return { error: 'invalid_state' }
  const { timestamp, next } = record
  const age = now - timestamp
  if (age > limits.loginStateLifetime || age < -clockStep) return { error: 'expired_state', next }
  const code = single(query, 'token')
  return code ? { code, state, next } : { error: 'missing_token_in_query', next }
}
