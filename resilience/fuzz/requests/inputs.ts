import type { Endpoint } from '@slipway/contract/endpoint'
import { addRuntimeVersion } from '@slipway/contract/runtimes'
import fc from 'fast-check'
import { inputSchema } from '../../../apps/server/src/http/json-schema.ts'
import { hasJsonBody } from '../../../apps/server/src/testing/declared-endpoints.ts'
import { hostilePart, hostileValue } from './hostile-values.ts'
import { releaseUploads, versionUploads } from './uploads.ts'
import { type JsonSchema, validFields } from './valid-values.ts'
import { isObject, type Value } from './value.ts'

type Fields = { [field: string]: Value }

const schemaOf = (schema: NonNullable<Endpoint['body']>) => inputSchema(schema) as JsonSchema

/** Replaces the field at `index` among all fields, nested ones included. */
function replaceField(fields: Fields, index: number, value: Value): Fields {
  const names = Object.keys(fields)
  const name = names[index % names.length]
  if (name === undefined) return fields
  const inner = fields[name]
  const innerIndex = Math.floor(index / names.length)
  const isInner = isObject(inner) && Object.keys(inner).length > 0 && innerIndex % 2 === 1
  return { ...fields, [name]: isInner ? replaceField(inner, innerIndex, value) : value }
}

/** Valid fields, of which one or two may be replaced by hostile values. */
function fieldsOf(valid: fc.Arbitrary<Fields>, hostile: fc.Arbitrary<Value>) {
  const oneHostile = fc
    .tuple(valid, fc.nat(1_000), hostile)
    .map(([fields, index, value]) => replaceField(fields, index, value))
  const twoHostile = fc
    .tuple(oneHostile, fc.nat(1_000), hostile)
    .map(([fields, index, value]) => replaceField(fields, index, value))
  return fc.oneof({ weight: 6, arbitrary: valid }, { weight: 4, arbitrary: oneHostile }, twoHostile)
}

export function paramsOf(endpoint: Endpoint): fc.Arbitrary<Fields> {
  const schemas = Object.entries(endpoint.params).map(([name, each]) => [name, schemaOf(each)])
  const required = Object.keys(endpoint.params)
  const valid = validFields(endpoint, { properties: Object.fromEntries(schemas), required })
  return fieldsOf(valid, hostilePart)
}

/**
 * The query of an endpoint, also of one that declares none. A list is a parameter that is given
 * several times.
 */
export const queryOf = (endpoint: Endpoint): fc.Arbitrary<Fields> =>
  endpoint.query
    ? fieldsOf(validFields(endpoint, schemaOf(endpoint.query)), hostilePart)
    : fc.oneof(
        { weight: 9, arbitrary: fc.constant({}) },
        hostilePart.map((part): Fields => ({ page: part })),
      )

const uploadOf = (endpoint: Endpoint): fc.Arbitrary<Value> =>
  endpoint === addRuntimeVersion ? versionUploads : releaseUploads

const wellFormedBody = (endpoint: Endpoint, body: NonNullable<Endpoint['body']>) =>
  hasJsonBody(endpoint)
    ? fieldsOf(validFields(endpoint, schemaOf(body)), hostileValue)
    : uploadOf(endpoint)

/** The body of a request to an endpoint; undefined for none. */
export const bodyOf = (endpoint: Endpoint): fc.Arbitrary<Value> =>
  endpoint.body
    ? fc.oneof({ weight: 12, arbitrary: wellFormedBody(endpoint, endpoint.body) }, hostileValue)
    : fc.oneof({ weight: 9, arbitrary: fc.constant(undefined) }, hostileValue)
