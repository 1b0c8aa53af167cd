import type { JsonSchema } from './schemas.ts'

const formats: Record<string, string> = {
  uuid: '019a4c2e-8a3f-7c11-9d52-3f6f0b0f4a10',
  email: 'ada@example.com',
  'date-time': '2026-11-02T09:00:00.000Z',
  uri: 'https://www.example.com',
  hostname: 'www.example.com',
}

/** Texts of fields whose schema says nothing more than that they are text. */
const named: Record<string, string> = {
  email: 'ada@example.com',
  name: 'Harbour Café',
  key: 'harbour-cafe-k3v9qm',
  host: 'www.example.com',
  domain: 'www.example.com',
  regionId: 'eu',
}

/** Resolves a reference such as `#/components/schemas/Project`. */
export type Resolve = (reference: string) => JsonSchema

/** A value of a schema, with the required fields alone: for examples. `name` is its field. */
export function exampleValue(schema: JsonSchema, resolve: Resolve, name = ''): unknown {
  const field = schema as Record<string, unknown> & JsonSchema
  if (typeof field.$ref === 'string') return exampleValue(resolve(field.$ref), resolve, name)
  if ('default' in field) return field.default
  if ('const' in field) return field.const
  if (Array.isArray(field.enum)) return field.enum[0]
  const [choice] = [field.anyOf, field.oneOf, field.allOf].flatMap(
    (choices) => (choices as JsonSchema[] | undefined) ?? [],
  )
  if (choice) return exampleValue(choice, resolve, name)
  const type = Array.isArray(field.type) ? field.type[0] : field.type
  if (type === 'object') return exampleObject(field, resolve)
  if (type === 'array') return [exampleValue((field.items ?? {}) as JsonSchema, resolve, name)]
  if (type === 'boolean') return true
  if (type === 'integer' || type === 'number') return (field.minimum as number | undefined) ?? 1
  return formats[String(field.format)] ?? named[name] ?? '…'
}

function exampleObject(schema: Record<string, unknown>, resolve: Resolve) {
  const required = new Set(schema.required as string[] | undefined)
  return Object.fromEntries(
    Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>)
      .filter(([name]) => required.has(name))
      .map(([name, field]) => [name, exampleValue(field, resolve, name)]),
  )
}
