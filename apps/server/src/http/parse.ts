import type { Endpoint } from '@slipway/contract/endpoint'
import { type FormMessage, formMessage } from '@slipway/contract/messages'
import type * as z from 'zod/mini'
import { invalid, problem } from '../problem.ts'

const isObject = (value: unknown) =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Input checked against its schema, in the shape Fastify asks of a validator. The error names the first
 * thing wrong with each field; input that is no object at all is malformed.
 */
export function parse(schema: z.ZodMiniType, data: unknown, code: Endpoint['invalid']) {
  const given = data ?? {}
  const result = schema.safeParse(given)
  if (result.success) return { value: result.data }
  if (code === 'invalid_params') return { error: problem('invalid_params') }
  if (!isObject(given)) return { error: problem('malformed_request', 'a JSON object is expected') }

  const fields: Record<string, FormMessage> = {}
  for (const issue of result.error.issues) {
    const field = String(issue.path[0] ?? '')
    fields[field] ??= formMessage(issue.message)
  }
  return { error: invalid(fields) }
}
