import { CapacityError, QuotaError, RejectedError, type ReleaseProblem } from '../engine.ts'
import { ApiError, rejectionOf } from './api/api-error.ts'

/** The error of a write for the callers of the engine: they know nothing of the API. */
export function errorOfWrite(error: unknown): unknown {
  if (!(error instanceof ApiError)) return error
  if (error.failure === 'quota') return new QuotaError(error.message, { cause: error })
  if (error.failure === 'invalid') return new RejectedError(error.message, { cause: error })
  return error
}

/** The error of an instance whose Deployment gets no pod; `podFailure` is the cluster's message. */
export function errorOfPodFailure(podFailure: string): Error {
  const rejection = rejectionOf(podFailure)
  if (rejection === 'quota') return new QuotaError(podFailure)
  if (rejection === 'invalid') return new RejectedError(podFailure)
  return new CapacityError(podFailure)
}

/** The problem of a release that the cluster does not start; null for any other error. */
export function problemOfRejection(error: unknown): ReleaseProblem | null {
  const cause = errorOfWrite(error)
  if (cause instanceof QuotaError) return { failure: 'quota_exceeded' }
  if (cause instanceof RejectedError) return { failure: 'configuration_rejected' }
  return null
}
