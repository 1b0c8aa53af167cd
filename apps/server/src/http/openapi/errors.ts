import { commonErrors, type ErrorCode, errors } from '@slipway/contract/errors'
import type { JsonSchema } from './schemas.ts'

/** The meaning of each status that every endpoint can have. */
const meanings: Record<number, string> = {
  400: 'The request is malformed',
  413: 'The body is too large',
  415: 'The body has another media type than application/json',
  429: 'Too many requests: retry after the seconds of Retry-After',
  500: 'A fault of the service; `context` is the id of the request',
  503: 'Unavailable for the moment: retry after the seconds of Retry-After',
}

/** `project_not_found` -> `ProjectNotFoundError` */
const nameOf = (code: ErrorCode) =>
  `${code.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())}Error`.replace(
    /ErrorError$/,
    'Error',
  )

const reference = (code: ErrorCode) => ({ $ref: `#/components/schemas/${nameOf(code)}` })

function schemaOf(code: ErrorCode): JsonSchema {
  const isValidation = code === 'validation_error'
  return {
    type: 'object',
    properties: {
      code: { type: 'integer', const: errors[code] },
      error: { type: 'string', const: code },
      context: { type: 'string', description: 'More about this error' },
      ...(isValidation
        ? {
            root: {
              type: 'object',
              description: 'A message for each invalid field, in the language of Accept-Language',
              additionalProperties: { type: 'string' },
            },
          }
        : {}),
    },
    required: ['code', 'error', ...(isValidation ? ['root'] : [])],
  }
}

export const errorSchemas: Record<string, JsonSchema> = Object.fromEntries(
  Object.keys(errors).map((code) => [nameOf(code as ErrorCode), schemaOf(code as ErrorCode)]),
)

/** The errors with one status, as a response. */
function responseOf(status: number, codes: readonly ErrorCode[]): JsonSchema {
  const [only, ...others] = codes.map(reference)
  const isTemporary = status === 429 || status === 503
  return {
    description: meanings[status] ?? codes.map((code) => `\`${code}\``).join(', '),
    ...(isTemporary
      ? {
          headers: {
            'Retry-After': {
              description: 'Seconds until a retry makes sense',
              schema: { type: 'integer' },
            },
          },
        }
      : {}),
    content: {
      'application/json': {
        schema: others.length === 0 ? only : { oneOf: [only, ...others] },
      },
    },
  }
}

function byStatus(codes: Iterable<ErrorCode>) {
  const groups = new Map<number, ErrorCode[]>()
  for (const code of codes) groups.set(errors[code], [...(groups.get(errors[code]) ?? []), code])
  return groups
}

const common = byStatus(commonErrors)

/** The responses that most endpoints share. */
export const errorResponses = Object.fromEntries(
  [...common].map(([status, codes]) => [`Status${status}`, responseOf(status, codes)]),
)

/** The error responses of an endpoint with these errors. */
export const responsesOf = (codes: Iterable<ErrorCode>): JsonSchema =>
  Object.fromEntries(
    [...byStatus(codes)]
      .sort(([first], [second]) => first - second)
      .map(([status, statusCodes]) => {
        const shared = common.get(status)
        const isShared =
          shared?.length === statusCodes.length &&
          statusCodes.every((code) => shared.includes(code))
        return [
          status,
          isShared
            ? { $ref: `#/components/responses/Status${status}` }
            : responseOf(status, statusCodes),
        ]
      }),
  )
