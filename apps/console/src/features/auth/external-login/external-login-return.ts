import { limits, minute } from '@slipway/contract/limits'
import { parseLogin } from './login-state.ts'

export type ReturnError =
  | 'state_not_found'
  | 'invalid_state'
  | 'expired_state'
  | 'mismatched_state'
  | 'missing_token_in_query'

export type ExternalLoginReturn =
  | { token: string; next: string | undefined }
  | { error: ReturnError; next?: string | undefined }

/** How far a clock may be set back meanwhile before the record counts as one from the future. */
const clockStep = minute

/** A parameter that is there once; a repeated one has no meaning (RFC 6749 §3.1). */
const single = (query: URLSearchParams, name: string) => {
  const values = query.getAll(name)
  return values.length === 1 ? values[0] : undefined
}

/**
 * What an outside login that came back is worth: the token, when the record of its beginning is there,
 * readable and fresh; else the first thing that is wrong. `logins` is what is stored, by state; `now` in
 * milliseconds.
 */
export function checkReturn(
  logins: ReadonlyMap<string, string>,
  query: URLSearchParams,
  now: number,
): ExternalLoginReturn {
  if (logins.size === 0) return { error: 'state_not_found' }
  const stored = logins.get(single(query, 'state') ?? '')
  if (stored === undefined) return { error: 'mismatched_state' }
  const record = parseLogin(stored)
  if (!record) return { error: 'invalid_state' }
  const { timestamp, next } = record
  const age = now - timestamp
  if (age > limits.loginStateLifetime || age < -clockStep) return { error: 'expired_state', next }
  const token = single(query, 'token')
  return token ? { token, next } : { error: 'missing_token_in_query', next }
}
