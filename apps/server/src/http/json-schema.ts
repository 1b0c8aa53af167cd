import type { FastifySchema } from 'fastify'
import * as z from 'zod/mini'

/**
 * OpenAPI 3.0 uses `nullable`, which fast-json-stringify supports better than a union with null.
 */
const convert = (schema: z.ZodMiniType, io: 'input' | 'output') =>
  z.toJSONSchema(schema, { target: 'openapi-3.0', io, unrepresentable: 'any' })

/** The schema of a request, from which the hostile requests are generated. */
export const inputSchema = (schema: z.ZodMiniType) => convert(schema, 'input')

/** The schema that serializes a response: only declared fields leave the server. */
export const responseSchema = (schema: z.ZodMiniType) =>
  convert(schema, 'output') as FastifySchema['response']
