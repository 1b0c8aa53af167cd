import { limits, minute } from '@slipway/contract/limits'
import { parseLoginState } from './login-state.ts'

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
 * readable, fresh and of the same state; else the first thing that is wrong. `now` in milliseconds.
 */
export function checkReturn(
  stored: string | null,
  query: URLSearchParams,
  now: number,
): ExternalLoginReturn {
  if (stored === null) return { error: 'state_not_found' }
  const record = parseLoginState(stored)
  if (!record) return { error: 'invalid_state' }
  const { state, timestamp, next } = record
  const age = now - timestamp
  if (age > limits.loginStateLifetime || age < -clockStep) return { error: 'expired_state', next }
  if (single(query, 'state') !== state) return { error: 'mismatched_state', next }
  const token = single(query, 'token')
  return token ? { token, next } : { error: 'missing_token_in_query', next }
}
