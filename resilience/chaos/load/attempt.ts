import { ApiError } from '@slipway/contract/client'
import type { ErrorCode } from '@slipway/contract/errors'

/** `unknown`: without a response, or with a 5xx; the call may have happened or not. */
export type Attempt<Result> =
  | { outcome: 'acknowledged'; result: Result }
  | { outcome: 'rejected'; code: ErrorCode }
  | { outcome: 'unknown' }

/** Waits for a call, with any outcome. */
export async function attempt<Result>(call: Promise<Result>): Promise<Attempt<Result>> {
  try {
    return { outcome: 'acknowledged', result: await call }
  } catch (error) {
    if (error instanceof ApiError && error.status < 500)
      return { outcome: 'rejected', code: error.code }
    return { outcome: 'unknown' }
  }
}

/** The values that a field may have: the last acknowledged one, or one of unknown outcome since. */
export type Field<Value> = ReturnType<typeof createField<Value>>

export function createField<Value>(initial: Value) {
  let possible: Value[] = [initial]
  return {
    get possible(): readonly Value[] {
      return possible
    },
    record({ outcome }: Attempt<unknown>, value: Value) {
      if (outcome === 'acknowledged') possible = [value]
      if (outcome === 'unknown') possible = [...possible, value]
    },
  }
}
