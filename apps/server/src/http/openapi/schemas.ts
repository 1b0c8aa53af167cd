import type { Endpoint } from '@slipway/contract/endpoint'
import { fileMediaType } from '@slipway/contract/file-response'
import { uploadMediaTypes } from '@slipway/contract/upload'
import * as z from 'zod/mini'
import { contractModules } from './contract-modules.ts'

export type JsonSchema = { [name: string]: unknown }

/** An endpoint with the name of its export, which is its `operationId`. */
export type Operation = { id: string; tag: string; endpoint: Endpoint }

const isSchema = (value: unknown): value is z.ZodMiniType =>
  typeof value === 'object' && value !== null && '_zod' in value

const isObject = (schema: z.ZodMiniType) => schema._zod.def.type === 'object'

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'access' in value && 'path' in value

const capitalize = (name: string) => name.charAt(0).toUpperCase() + name.slice(1)

/** Every endpoint of the contract. */
export const operations: readonly Operation[] = contractModules.flatMap(([tag, exports]) =>
  Object.entries(exports).flatMap(([id, endpoint]) =>
    isEndpoint(endpoint) ? [{ id, tag, endpoint }] : [],
  ),
)

/** The item of a list, or the schema itself. */
function itemOf(schema: z.ZodMiniType) {
  const { def } = schema._zod
  return def.type === 'array' ? ((def as z.core.$ZodArrayDef).element as z.ZodMiniType) : schema
}

/** The schema of a JSON body; undefined for a file. */
const jsonBody = ({ body }: Endpoint) => (uploadMediaTypes(body) ? undefined : body)

/** The schema of a JSON response; undefined for a file and without one. */
const jsonResponse = ({ response }: Endpoint) => (fileMediaType(response) ? undefined : response)

/**
 * The schemas that have a name: objects that the contract exports, by the name of the export, and
 * every other body and response, by its operation.
 */
function nameSchemas(partOf: (endpoint: Endpoint) => z.ZodMiniType | undefined, suffix: string) {
  const names = new Map<z.ZodMiniType, string>()
  for (const [, exports] of contractModules)
    for (const [name, value] of Object.entries(exports))
      if (isSchema(value) && isObject(value)) names.set(value, capitalize(name))
  for (const { id, endpoint } of operations) {
    const part = partOf(endpoint)
    if (part === undefined) continue
    const item = itemOf(part)
    if (isObject(item) && !names.has(item))
      names.set(item, capitalize(id) + (item === part ? suffix : 'Item'))
  }
  return names
}

const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` })

/** JSON Schema 2020-12, as OpenAPI 3.1 has it, with references to the schemas in `names`. */
function convert(names: ReadonlyMap<z.ZodMiniType, string>, io: 'input' | 'output') {
  const registry = z.registry<{ id: string }>()
  for (const [schema, id] of names) registry.add(schema, { id })
  const options = {
    io,
    unrepresentable: 'any',
    uri: (id: string) => reference(id).$ref,
    override: ({ jsonSchema }: { jsonSchema: JsonSchema }) => {
      delete jsonSchema.$id
      delete jsonSchema.$schema
      // A later version may add fields to a response.
      delete jsonSchema.additionalProperties
      // The format implies the pattern.
      if (jsonSchema.format !== undefined) delete jsonSchema.pattern
    },
  } as const
  const { schemas } = z.toJSONSchema(registry, options)
  return {
    named: Object.fromEntries(
      Object.entries(schemas).map(([name, { $id, $schema, ...schema }]) => [name, schema]),
    ) as Record<string, JsonSchema>,

    /** A schema in a request or a response: a reference, a list of references, or written out. */
    schemaOf(schema: z.ZodMiniType): JsonSchema {
      const item = itemOf(schema)
      const name = names.get(item)
      if (name === undefined) {
        const { $schema, ...json } = z.toJSONSchema(schema, { ...options, metadata: registry })
        return json
      }
      return item === schema ? reference(name) : { type: 'array', items: reference(name) }
    },
  }
}

/** The schemas of requests. */
export const inputs = convert(nameSchemas(jsonBody, 'Body'), 'input')

/** The schemas of responses. */
export const outputs = convert(nameSchemas(jsonResponse, 'Response'), 'output')
