import { type ErrorBody, type ErrorCode, errors } from '@slipway/contract/errors'
import type { FormMessage } from '@slipway/contract/form-messages'
import { type Locale, m } from '@slipway/phrases'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { isUnavailable } from '../db/unavailable.ts'
import { createRateLimitedLog } from '../log.ts'
import { Problem, problem } from '../problem.ts'
import { countRejection } from './http.metrics.ts'
import { requestLocale } from './locale.ts'

/** Our error code for each of Fastify's. */
const fastifyErrors: Record<string, ErrorCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'request_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_INVALID_JSON_BODY: 'malformed_request',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'malformed_request',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'malformed_request',
  FST_ERR_BAD_URL: 'malformed_request',
  FST_STATIC_FORBIDDEN_PATH: 'route_not_found',
}

/** The phrase of a message has the same name. */
const messages: Record<FormMessage, (inputs: object, options: { locale: Locale }) => string> = m

/** The Retry-After of a 503: the lock timeout of calls, after which no waiter remains. */
const secondsToRetry = 2

/** The problem of an error; undefined for an unexpected one. */
export function problemOf(error: unknown): Problem | undefined {
  if (error instanceof Problem) return error
  if (!(error instanceof Error)) return undefined
  const { code, statusCode } = error as Partial<FastifyError>
  const ownCode = code === undefined ? undefined : fastifyErrors[code]
  if (ownCode) return problem(ownCode)
  // @fastify/send rejects paths that leave its folder with 403; they are unknown routes.
  if (statusCode === 403) return problem('route_not_found')
  // The JSON parser's error for `__proto__` has a status but no code.
  if (statusCode === 400) return problem('malformed_request')
  if (isUnstorable(error)) return problem('malformed_request')
  if (isUnavailable(error)) return new Problem('unavailable', { cause: error })
  return undefined
}

/**
 * True for text that PostgreSQL cannot store, such as NUL (its error codes
 * character_not_in_repertoire and untranslatable_character).
 */
const isUnstorable = (error: Error): boolean =>
  /^(22021|22P05)$/.test(String((error as { code?: unknown }).code)) ||
  (error.cause instanceof Error && isUnstorable(error.cause))

/** The body of an error, with messages in the caller's language. */
function errorBody({ code, context, fields }: Problem, locale: Locale): ErrorBody {
  return {
    code: errors[code],
    error: code,
    ...(context === undefined ? {} : { context }),
    ...(fields
      ? {
          root: Object.fromEntries(
            Object.entries(fields).map(([field, key]) => [field, messages[key]({}, { locale })]),
          ),
        }
      : {}),
  }
}

/** True for load shedding. It is expected under overload, so its log is rate-limited. */
const isShed = ({ code, cause }: Problem) => code === 'unavailable' && cause === undefined
const logShed = createRateLimitedLog('some requests are rejected as unavailable')

/** Sends every error as `{ code, error, context?, root? }`. */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const knownProblem = problemOf(error)
  const codedProblem = knownProblem ?? problem('internal_error', request.id)
  if (knownProblem && isShed(knownProblem)) logShed(request.log, { url: request.routeOptions.url })
  else if (!knownProblem || errors[knownProblem.code] >= 500)
    request.log.error({ err: error }, 'the request failed')
  countRejection(codedProblem.code)
  // Every 503 has a Retry-After (RFC 9110 §15.6.4).
  const retryAfter =
    codedProblem.retryAfter ?? (codedProblem.code === 'unavailable' ? secondsToRetry : undefined)
  if (retryAfter !== undefined) reply.header('Retry-After', Math.ceil(retryAfter))
  return reply
    .code(errors[codedProblem.code])
    .type('application/json; charset=utf-8')
    .serializer(JSON.stringify)
    .send(errorBody(codedProblem, requestLocale(request)))
}
