/** How a caller handles a failed call of the Kubernetes API. */
export type ApiFailure =
  /** The API server is overloaded, restarts or cannot be reached, or the object has changed. */
  | 'retry'
  | 'not_found'
  /** The object exists already, or another one with its name. */
  | 'conflict'
  /** A quota of the namespace is used up. */
  | 'quota'
  /** The API server, or a rule of the cluster for new objects (admission), rejects the object. */
  | 'invalid'
  /** Credentials or rights are missing: no call will succeed. */
  | 'denied'

/** The body of a failed call (`meta/v1` Status). */
export type Status = {
  kind?: string
  message?: string
  reason?: string
  details?: { retryAfterSeconds?: number; causes?: { reason?: string }[] }
}

/** A failed call of the Kubernetes API. The message is for operators. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly failure: ApiFailure
  /**
   * 0 when the API server did not respond: a proxy in between may have. Below 300 when the body of
   * the response broke off.
   */
  readonly status: number
  readonly retryAfterMs: number | undefined

  constructor(
    message: string,
    { failure, status, retryAfterMs }: Pick<ApiError, 'failure' | 'status' | 'retryAfterMs'>,
    options?: ErrorOptions,
  ) {
    super(message, options)
    this.failure = failure
    this.status = status
    this.retryAfterMs = retryAfterMs
  }
}

const retriedStatuses = new Set([408, 425, 429, 500, 502, 503, 504])
/** The statuses of a balancer that does not reach the API server. */
const proxyStatuses = new Set([502, 503, 504])

/** For a moment, a new namespace has no service account, and a new quota no usage. */
const unsettled = /error looking up service account|status unknown for quota/

/** The object that a call named by its uid was deleted, and another one has its name. */
const otherUid = /UID in (?:the )?precondition/

/**
 * Why the cluster does not create an object, in its words; null when they name no rule of it. A
 * missing permission is not one: authorization names the user, admission the object.
 */
export function rejectionOf(message: string): 'quota' | 'invalid' | null {
  if (unsettled.test(message)) return null
  if (/\b(?:exceeded|failed|insufficient) quota\b/i.test(message)) return 'quota'
  return /is forbidden: (?!User )|is invalid: |denied (?:the )?request/.test(message)
    ? 'invalid'
    : null
}

function failureOf(status: number, { reason = '', message = '', details }: Status): ApiFailure {
  if (retriedStatuses.has(status)) return 'retry'
  if (status === 404) return 'not_found'
  // `Conflict`: another write came first, which the next attempt sees.
  if (status === 409)
    return reason === 'AlreadyExists' || otherUid.test(message) ? 'conflict' : 'retry'
  if (status === 403) {
    const isEnding = details?.causes?.some((cause) => cause.reason === 'NamespaceTerminating')
    return isEnding || unsettled.test(message) ? 'retry' : (rejectionOf(message) ?? 'denied')
  }
  return status === 401 ? 'denied' : 'invalid'
}

/** The error of a response; `retryAfter` is its header in seconds. */
export function errorOfResponse(
  call: string,
  status: number,
  body: Status,
  retryAfter: string | undefined,
): ApiError {
  const seconds = body.details?.retryAfterSeconds ?? Number(retryAfter ?? Number.NaN)
  const isFromProxy = proxyStatuses.has(status) && body.kind !== 'Status'
  return new ApiError(`${call}: ${body.message ?? `status ${status}`}`, {
    failure: failureOf(status, body),
    status: isFromProxy ? 0 : status,
    retryAfterMs: Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : undefined,
  })
}

/** The error of a response whose body broke off. */
export const errorOfBrokenBody = (call: string, status: number, cause: unknown): ApiError =>
  new ApiError(
    `${call}: ${cause instanceof Error ? cause.message : String(cause)}`,
    { failure: 'retry', status, retryAfterMs: undefined },
    { cause },
  )

/** True for a stream that brought nothing for as long as its call allows. */
export const isSilence = (error: unknown): boolean =>
  error instanceof ApiError &&
  (error.cause as { code?: string } | undefined)?.code === 'UND_ERR_BODY_TIMEOUT'

/** The error of a call without a response: a timeout, or no connection. */
export const errorWithoutResponse = (call: string, cause: unknown): ApiError =>
  errorOfBrokenBody(call, 0, cause)
