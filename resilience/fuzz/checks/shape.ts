import { isDeepStrictEqual } from 'node:util'
import type { Endpoint } from '@slipway/contract/endpoint'
import { type ErrorCode, errors } from '@slipway/contract/errors'
import { eventStreamEntry, eventStreamType } from '@slipway/contract/event-stream'
import { fileMediaType } from '@slipway/contract/file-response'
import { errorsOf } from '../../../apps/server/src/http/declared-errors.ts'
import type { FuzzResponse } from '../requests/send.ts'

/** Error codes by status, for requests that Node's HTTP parser rejects. */
const parserErrors: Record<number, ErrorCode> = {
  408: 'malformed_request',
  431: 'request_too_large',
}

type Body = { code?: unknown; error?: unknown; context?: unknown; root?: unknown }

function readJson(body: Buffer): { value?: unknown; failed?: string } {
  try {
    return { value: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)) }
  } catch (error) {
    return { failed: error instanceof Error ? error.message : String(error) }
  }
}

/** Describes the error in an error response; undefined for a valid one. */
export function errorShapeProblem(
  { status, headers, body }: Pick<FuzzResponse, 'status' | 'headers' | 'body'>,
  expected?: ReadonlySet<ErrorCode>,
): string | undefined {
  const { value, failed } = readJson(body)
  if (failed !== undefined) return `status ${status} with a body that is no JSON: ${failed}`
  if (typeof value !== 'object' || value === null) return `status ${status} without an error body`
  const { code, error, context, root, ...otherFields } = value as Body
  if (code !== status) return `status ${status} with the code ${String(code)}`
  const known = typeof error === 'string' && Object.hasOwn(errors, error)
  if (!known) return `an error that the contract does not have: ${String(error)}`
  const errorCode = error as ErrorCode
  if (errors[errorCode] !== status && parserErrors[status] !== errorCode)
    return `${errorCode} with status ${status}`
  if (expected && !expected.has(errorCode)) return `${errorCode} is not declared here`
  if (context !== undefined && typeof context !== 'string') return 'a context that is no text'
  if (Object.keys(otherFields).length > 0)
    return `undeclared fields: ${Object.keys(otherFields).join(', ')}`
  if (root !== undefined && errorCode !== 'validation_error') return `${errorCode} with fields`
  if (
    root !== undefined &&
    !Object.values(root as object).every((each) => typeof each === 'string')
  )
    return 'fields without a message'
  if (status === 429 && !/^[1-9]\d*$/.test(headers['retry-after'] ?? ''))
    return '429 without Retry-After'
  return undefined
}

/** Describes the first invalid event among the complete events of a stream. */
function streamProblem({ response }: Endpoint, body: Buffer): string | undefined {
  for (const [, data = ''] of body.toString('utf8').matchAll(/^data: (.*)\n\n/gm)) {
    const parsed = eventStreamEntry(response)?.safeParse(JSON.parse(data))
    if (!parsed?.success) return `an event in another shape: ${data}`
  }
  return undefined
}

/**
 * Describes how a response differs from the endpoint's declaration; undefined if it does not.
 * `mayMissRoute` is true when an empty parameter may make the path match no endpoint.
 */
export function shapeProblem(
  endpoint: Endpoint,
  response: FuzzResponse,
  mayMissRoute: boolean,
): string | undefined {
  const { status, headers, body } = response
  if (status >= 400)
    return errorShapeProblem(
      response,
      new Set<ErrorCode>([
        ...errorsOf(endpoint),
        ...(mayMissRoute ? (['route_not_found'] as const) : []),
      ]),
    )
  const type = fileMediaType(endpoint.response)
  if (type !== undefined)
    return status === 200 && headers['content-type'] === type && body.length > 0
      ? undefined
      : `status ${status} with the type ${headers['content-type']} instead of ${type}`
  if (!endpoint.response)
    return status === 204 && body.length === 0
      ? undefined
      : `status ${status} with ${body.length} bytes instead of 204`
  if (status !== 200) return `status ${status} instead of 200`
  if (headers['content-type']?.startsWith(eventStreamType))
    return eventStreamEntry(endpoint.response) ? streamProblem(endpoint, body) : 'a stream'
  const { value, failed } = readJson(body)
  if (failed !== undefined) return `a body that is no JSON: ${failed}`
  const parsed = endpoint.response.safeParse(value)
  if (!parsed.success)
    return parsed.error.issues
      .map(({ path, message }) => `${path.join('.')}: ${message}`)
      .join('; ')
  return isDeepStrictEqual(parsed.data, value) ? undefined : 'fields that are not declared'
}
