import type { ErrorCode } from '@slipway/contract/errors'
import type { FormMessage } from '@slipway/contract/form-messages'

/** An error with a code of the contract, which determines the response's status. */
export class Problem extends Error {
  readonly code: ErrorCode
  readonly context: string | undefined
  /** Seconds until a retry makes sense. */
  readonly retryAfter: number | undefined
  /** For a `validation_error`: a message per field. */
  readonly fields: Readonly<Record<string, FormMessage>> | undefined

  constructor(
    code: ErrorCode,
    details: {
      context?: string
      retryAfter?: number
      fields?: Record<string, FormMessage>
      cause?: unknown
    } = {},
  ) {
    super(details.context === undefined ? code : `${code}: ${details.context}`, {
      cause: details.cause,
    })
    this.name = 'Problem'
    this.code = code
    this.context = details.context
    this.retryAfter = details.retryAfter
    this.fields = details.fields
  }
}

export const problem = (code: ErrorCode, context?: string) =>
  new Problem(code, context === undefined ? {} : { context })

export const invalid = (fields: Record<string, FormMessage>) =>
  new Problem('validation_error', { fields })

export type TooOften = Extract<
  ErrorCode,
  'too_many_requests' | 'action_limit_reached' | 'message_limit_reached' | 'too_many_streams'
>

/** A problem of a limit; `retryAfter` in seconds. */
export const tooOften = (code: TooOften, retryAfter: number) => new Problem(code, { retryAfter })
