import { ApiError } from '@slipway/contract/client'
import type { ErrorCode } from '@slipway/contract/errors'

/** The error code of a rejected request. Throws when it succeeds. */
export async function errorCodeOf(call: Promise<unknown>): Promise<ErrorCode> {
  return (await errorOf(call)).code
}

/** The error of a rejected request. Throws when it succeeds. */
export async function errorOf(call: Promise<unknown>): Promise<ApiError> {
  try {
    await call
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
  throw new Error('the request succeeded')
}

/** `ok`, or the error code of a rejected request. */
export async function outcome(call: Promise<unknown>): Promise<'ok' | ErrorCode> {
  try {
    await call
    return 'ok'
  } catch (error) {
    if (error instanceof ApiError) return error.code
    throw error
  }
}
