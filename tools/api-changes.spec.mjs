import { describe, expect, it } from 'vitest'
import { compareApis, describeChanges } from './api-changes.mjs'

/** An API with one call, changed by the test. */
function api(/** @type {(parts: Record<string, any>) => void} */ change = () => {}) {
  const error = (/** @type {string} */ code) => ({ properties: { error: { const: code } } })
  const parts = {
    operation: {
      operationId: 'renameThing',
      security: [],
      parameters: [{ in: 'query', name: 'page', schema: { type: 'integer' } }],
      requestBody: { content: { 'application/json': { schema: { $ref: '#/schemas/Body' } } } },
      responses: {
        200: { content: { 'application/json': { schema: { $ref: '#/schemas/Thing' } } } },
        404: { content: { 'application/json': { schema: { oneOf: [error('gone')] } } } },
      },
    },
    schemas: {
      Body: {
        type: 'object',
        properties: { name: { type: 'string' }, kind: { enum: ['a', 'b'] } },
        required: ['name'],
      },
      Thing: {
        type: 'object',
        properties: {
          state: { enum: ['on', 'off'] },
          at: { anyOf: [{ type: 'string' }, { type: 'null' }] },
          parts: {
            type: 'array',
            items: { type: 'object', properties: { id: { type: 'string' } } },
          },
        },
        required: ['state', 'at'],
      },
    },
    error,
  }
  /** @type {Record<string, any>} */
  const document = { paths: { '/thing': { put: parts.operation } }, schemas: parts.schemas }
  change({ ...parts, document })
  return document
}

const call = '`PUT /thing`'

describe('compareApis', () => {
  it('finds no change between equal documents', () => {
    const changes = compareApis(api(), api())
    expect(changes).toEqual({ breaking: [], added: [], changed: [] })
    expect(describeChanges(changes)).toBe('\nNothing yet.\n')
  })

  it.each([
    [
      'a removed call',
      (/** @type {any} */ { document }) => delete document.paths['/thing'],
      `${call} is removed`,
    ],
    [
      'a new required field of a request',
      (/** @type {any} */ { schemas }) => {
        schemas.Body.properties.size = { type: 'integer' }
        schemas.Body.required.push('size')
      },
      `${call}: request \`body.size\` is required`,
    ],
    [
      'a field of a request that becomes required',
      (/** @type {any} */ { schemas }) => schemas.Body.required.push('kind'),
      `${call}: request \`body.kind\` is required`,
    ],
    [
      'a value that a request may not have any more',
      (/** @type {any} */ { schemas }) => schemas.Body.properties.kind.enum.pop(),
      `${call}: request \`body.kind\` has no b`,
    ],
    [
      'a removed parameter',
      (/** @type {any} */ { operation }) => operation.parameters.pop(),
      `${call}: request \`query.page\` is removed`,
    ],
    [
      'a removed field of a response, in a list',
      (/** @type {any} */ { schemas }) => delete schemas.Thing.properties.parts.items.properties.id,
      `${call}: response \`200.parts[].id\` is removed`,
    ],
    [
      'a field of a response that becomes optional',
      (/** @type {any} */ { schemas }) => schemas.Thing.required.pop(),
      `${call}: response \`200.at\` is optional`,
    ],
    [
      'another type',
      (/** @type {any} */ { schemas }) => schemas.Thing.properties.at.anyOf.pop(),
      `${call}: response \`200.at\` is string, and was null or string`,
    ],
    [
      'a call that needs a token',
      (/** @type {any} */ { operation }) => operation.security.push({ bearer: [] }),
      `${call}: who may call it`,
    ],
    [
      'another name of the operation',
      (/** @type {any} */ { operation }) => {
        operation.operationId = 'nameThing'
      },
      `${call}: its operationId \`renameThing\` is now \`nameThing\``,
    ],
  ])('%s is breaking', (_what, change, text) => {
    expect(compareApis(api(), api(change))).toEqual({ breaking: [text], added: [], changed: [] })
  })

  it('lists a change of many calls once, and a new object without its fields', () => {
    const addPlace = (/** @type {any} */ { document, operation, schemas }) => {
      document.paths['/other'] = { put: operation }
      schemas.Thing.properties.place = {
        type: 'object',
        properties: { city: { type: 'string' } },
      }
    }
    const before = api(({ document, operation }) => {
      document.paths['/other'] = { put: operation }
    })
    expect(describeChanges(compareApis(before, api(addPlace)))).toBe(
      `\n## Added\n\n- response \`200.place\` is new: ${call}, \`PUT /other\`\n`,
    )
    expect(describeChanges(compareApis(api(addPlace), before))).toBe(
      `\n## Breaking\n\n- response \`200.place\` is removed: ${call}, \`PUT /other\`\n`,
    )
  })

  it('lists what is new and what differs without breaking a client', () => {
    const after = api(({ document, operation, schemas, error }) => {
      document.paths['/other'] = { get: { ...operation, requestBody: undefined } }
      schemas.Body.properties.note = { type: 'string' }
      schemas.Body.required.pop()
      schemas.Thing.properties.state.enum.push('idle')
      operation.responses[404].content['application/json'].schema.oneOf.push(error('locked'))
    })
    const changes = compareApis(api(), after)
    expect(changes.breaking).toEqual([])
    expect(changes.added).toEqual([`${call}: request \`body.note\` is new`, '`GET /other`'])
    expect(changes.changed).toEqual([
      `${call}: request \`body.name\` is optional`,
      `${call}: response \`200.state\` may be idle`,
      `${call}: the error \`locked\``,
    ])
    expect(describeChanges(changes)).toBe(`
## Added

- request \`body.note\` is new: ${call}
- \`GET /other\`

## Changed

- request \`body.name\` is optional: ${call}
- response \`200.state\` may be idle: ${call}
- the error \`locked\`: ${call}
`)
  })
})
