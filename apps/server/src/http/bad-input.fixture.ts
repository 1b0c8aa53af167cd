import type { Endpoint } from '@slipway/contract/endpoint'
import * as z from 'zod/mini'
import type { TestUser } from '../testing/world.ts'

export type JsonSchema = {
  type?: string
  format?: string
  enum?: readonly unknown[]
  maxLength?: number
  maximum?: number
  properties?: Record<string, JsonSchema>
}

/** The fields of a body or query, found in the contract. */
export const fieldsOf = (schema: z.ZodMiniType | undefined): Record<string, JsonSchema> =>
  schema === undefined
    ? {}
    : ((z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema).properties ??
      {})

export const fill = ({ path }: Endpoint, part: string) => path.replace(/:\w+/g, part)

const byType: Record<string, unknown> = { boolean: true, number: 1, integer: 1, string: 'example' }

/** Valid input with a bad value in one field at a time. */
export function createInputs(user: () => TestUser) {
  const examples: Record<string, () => unknown> = {
    name: () => 'Example',
    email: () => 'somebody@example.com',
    password: () => 'Correct-horse7',
    token: () => user().token,
    teamId: () => user().teamId,
    regionId: () => 'eu',
    subject: () => 'Example',
    message: () => 'Example',
    text: () => 'Example',
    response_type: () => 'code',
    state: () => 'resolved',
  }

  function exampleOf(name: string, schema: JsonSchema): unknown {
    const { type = '', format, properties } = schema
    if (properties) return exampleFields(properties)
    // Only idempotency keys have this format, and they are optional.
    if (format === 'uuid') return undefined
    return schema.enum?.[0] ?? examples[name]?.() ?? byType[type]
  }

  const exampleFields = (properties: Record<string, JsonSchema>): Record<string, unknown> =>
    Object.fromEntries(
      Object.entries(properties).map(([name, schema]) => [name, exampleOf(name, schema)]),
    )

  /** Bodies with one bad field each, nested fields included. */
  function* badBodies<Value>(
    properties: Record<string, JsonSchema>,
    valuesFor: (schema: JsonSchema) => Iterable<Value>,
  ): Generator<{ field: string; bad: Value; value: Record<string, unknown> }> {
    const validBody = exampleFields(properties)
    for (const [field, schema] of Object.entries(properties)) {
      for (const bad of valuesFor(schema))
        yield { field, bad, value: { ...validBody, [field]: bad } }
      for (const deeper of schema.properties ? badBodies(schema.properties, valuesFor) : [])
        yield {
          field: `${field}.${deeper.field}`,
          bad: deeper.bad,
          value: { ...validBody, [field]: deeper.value },
        }
    }
  }

  return { exampleFields, badBodies }
}
