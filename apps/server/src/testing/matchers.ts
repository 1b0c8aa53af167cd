import { ApiError } from '@slipway/contract/client'
import type { ErrorCode } from '@slipway/contract/errors'

/** The error code a call was refused with; fails when it was answered. */
export async function refusal(call: Promise<unknown>): Promise<ErrorCode> {
  return (await refused(call)).code
}

/** The error a call was refused with; fails when it was answered. */
export async function refused(call: Promise<unknown>): Promise<ApiError> {
  try {
    await call
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
  throw new Error('the call was answered')
}

/** How a call ended: `ok`, or the error code it was refused with. */
export async function outcome(call: Promise<unknown>): Promise<'ok' | ErrorCode> {
  try {
    await call
    return 'ok'
  } catch (error) {
    if (error instanceof ApiError) return error.code
    throw error
  }
}
