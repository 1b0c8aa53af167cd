import type { FastifySchema } from 'fastify'
import * as z from 'zod/mini'

type JsonSchema = Record<string, unknown>

/** OpenAPI's dialect says `nullable`, which fast-json-stringify compiles; a union it would have to guess at. */
const convert = (schema: z.ZodMiniType, io: 'input' | 'output') =>
  z.toJSONSchema(schema, { target: 'openapi-3.0', io, unrepresentable: 'any' }) as JsonSchema

/** The schema of what a call takes, for the documentation. */
export const inputSchema = (schema: z.ZodMiniType) => convert(schema, 'input')

/** The schema an answer is written with: only what it declares leaves the server. */
export const responseSchema = (schema: z.ZodMiniType) =>
  withoutPatterns(convert(schema, 'output')) as FastifySchema['response']

// The patterns describe what we write ourselves; they only make the documentation unreadable.
function withoutPatterns(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutPatterns)
  if (typeof schema !== 'object' || schema === null) return schema
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([name, value]) => !(name === 'pattern' && typeof value === 'string'))
      .map(([name, value]) => [name, withoutPatterns(value)]),
  )
}
