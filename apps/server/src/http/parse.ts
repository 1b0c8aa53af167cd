import type { Endpoint } from '@slipway/contract/endpoint'
import { type FormMessage, formMessage } from '@slipway/contract/form-messages'
import type * as z from 'zod/mini'
import { invalid, problem } from '../problem.ts'

const isObject = (value: unknown) =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * True for text that PostgreSQL and JSON can store: without NUL and lone surrogates (Unicode 17,
 * D89).
 */
const isStorable = (text: string) => text.isWellFormed() && !text.includes('\0')

const hasUnstorable = (value: unknown): boolean =>
  typeof value === 'string'
    ? !isStorable(value)
    : typeof value === 'object' && value !== null && Object.values(value).some(hasUnstorable)

/** More than any body of the contract needs. */
const deepest = 32

/** A check that turns a deeply nested array into text, or visits it, exceeds the call stack. */
const isDeeperThan = (levels: number, value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((each) => isDeeperThan(levels - 1, each)))

/**
 * A validator of path parameters for Fastify. A malformed parameter is not found, like an unknown
 * one.
 */
export function parseParams(schema: z.ZodMiniType, data: unknown, endpoint: Endpoint) {
  const result = schema.safeParse(data)
  if (result.success && !hasUnstorable(result.data)) return { value: result.data }
  const missing = endpoint.errors.find((code) => code.endsWith('_not_found'))
  return { error: problem(missing ?? 'route_not_found') }
}

/**
 * A validator of query and body for Fastify. The error has the first message of each field; input
 * that is no object, or nested too deeply, is malformed.
 */
export function parse(schema: z.ZodMiniType, data: unknown, code: Endpoint['invalid']) {
  const input = data ?? {}
  if (isDeeperThan(deepest, input))
    return { error: problem('malformed_request', 'the JSON is nested too deeply') }
  const result = schema.safeParse(input)
  if (result.success && !hasUnstorable(result.data)) return { value: result.data }
  const unstorable = Object.entries(result.data ?? {}).flatMap(([field, value]) =>
    hasUnstorable(value) ? [field] : [],
  )
  if (code === 'invalid_params') return { error: problem('invalid_params', unstorable[0]) }
  if (!isObject(input)) return { error: problem('malformed_request', 'a JSON object is expected') }

  const fields: Record<string, FormMessage> = {}
  for (const field of unstorable) fields[field] = 'form_invalid'
  for (const issue of result.error?.issues ?? []) {
    const field = String(issue.path[0] ?? '')
    fields[field] ??= formMessage(issue.message)
  }
  return { error: invalid(fields) }
}
