import type { FastifySchema } from 'fastify'
import * as z from 'zod/mini'

type JsonSchema = Record<string, unknown>

/**
 * OpenAPI 3.0 uses `nullable`, which fast-json-stringify supports better than a union with null.
 */
const convert = (schema: z.ZodMiniType, io: 'input' | 'output') =>
  z.toJSONSchema(schema, { target: 'openapi-3.0', io, unrepresentable: 'any' }) as JsonSchema

/** The schema of a request, for the documentation. */
export const inputSchema = (schema: z.ZodMiniType) => convert(schema, 'input')

/** The schema that serializes a response: only declared fields leave the server. */
export const responseSchema = (schema: z.ZodMiniType) =>
  withoutPatterns(convert(schema, 'output')) as FastifySchema['response']

// Patterns of our own formats make the documentation unreadable.
function withoutPatterns(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutPatterns)
  if (typeof schema !== 'object' || schema === null) return schema
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([name, value]) => !(name === 'pattern' && typeof value === 'string'))
      .map(([name, value]) => [name, withoutPatterns(value)]),
  )
}
