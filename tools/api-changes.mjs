/**
 * @typedef {{ [name: string]: any }} Json
 * @typedef {{ type: string, isRequired: boolean, values: string[] }} Field
 * @typedef {{ breaking: string[], added: string[], changed: string[] }} Changes
 */

/**
 * The changes of an API from one OpenAPI document to the next. A change is breaking if a
 * client of the first document may fail with the next.
 * @param {Json} before
 * @param {Json} after
 * @returns {Changes}
 */
export function compareApis(before, after) {
  /** @type {Changes} */
  const changes = { breaking: [], added: [], changed: [] }
  const [old, current] = [operationsOf(before), operationsOf(after)]
  for (const [name, operation] of current) {
    const previous = old.get(name)
    if (previous) compareOperations(name, previous, operation, changes)
    else changes.added.push(`\`${name}\``)
  }
  for (const name of old.keys())
    if (!current.has(name)) changes.breaking.push(`\`${name}\` is removed`)
  return changes
}

/**
 * @param {string} name
 * @param {ReturnType<typeof operationOf>} before
 * @param {ReturnType<typeof operationOf>} after
 * @param {Changes} changes
 */
function compareOperations(name, before, after, changes) {
  const becamePublic = before.access !== '' && after.access === ''
  if (before.access !== after.access)
    changes[becamePublic ? 'changed' : 'breaking'].push(`\`${name}\`: who may call it`)
  if (before.id !== after.id)
    changes.breaking.push(`\`${name}\`: its operationId \`${before.id}\` is now \`${after.id}\``)
  compareFields(name, before.request, after.request, 'request', changes)
  compareFields(name, before.response, after.response, 'response', changes)
  for (const code of after.errors)
    if (!before.errors.includes(code)) changes.changed.push(`\`${name}\`: the error \`${code}\``)
}

/**
 * @param {string} name
 * @param {Map<string, Field>} before
 * @param {Map<string, Field>} after
 * @param {'request' | 'response'} side
 * @param {Changes} changes
 */
function compareFields(name, before, after, side, changes) {
  const isRequest = side === 'request'
  const describe = (/** @type {string} */ field, /** @type {string} */ text) =>
    `\`${name}\`: ${side} \`${field}\` ${text}`
  for (const [field, { type, isRequired, values }] of after) {
    const previous = before.get(field)
    if (!previous && isInNewObject(field, after, before)) continue
    if (!previous) {
      const breaks = isRequest && isRequired
      changes[breaks ? 'breaking' : 'added'].push(
        describe(field, breaks ? 'is required' : 'is new'),
      )
      continue
    }
    if (previous.type !== type)
      changes.breaking.push(describe(field, `is ${type}, and was ${previous.type}`))
    // Breaking: a request's field becomes required, or a response's field optional.
    if (previous.isRequired !== isRequired)
      changes[isRequired === isRequest ? 'breaking' : 'changed'].push(
        describe(field, isRequired ? 'is required' : 'is optional'),
      )
    const removedValues = previous.values.filter((value) => !values.includes(value))
    const addedValues = values.filter((value) => !previous.values.includes(value))
    if (removedValues.length > 0)
      changes[isRequest ? 'breaking' : 'changed'].push(
        describe(field, `has no ${removedValues.join(', ')}`),
      )
    if (addedValues.length > 0)
      changes.changed.push(describe(field, `may be ${addedValues.join(', ')}`))
  }
  for (const field of before.keys())
    if (!after.has(field) && !isInNewObject(field, before, after))
      changes.breaking.push(describe(field, 'is removed'))
}

/**
 * True if `others` lack the field's object, too: the object's own line reports the change.
 * @param {string} field
 * @param {Map<string, Field>} fields
 * @param {Map<string, Field>} others
 */
function isInNewObject(field, fields, others) {
  const object = field.replace(/(?:\[\]|\.[^.[\]]+)$/, '')
  return fields.has(object) && !others.has(object)
}

/** @param {Json} document */
function operationsOf(document) {
  return new Map(
    Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => [
        `${method.toUpperCase()} ${path}`,
        operationOf(document, operation),
      ]),
    ),
  )
}

/**
 * @param {Json} document
 * @param {Json} operation
 */
function operationOf(document, operation) {
  /** @type {Map<string, Field>} */
  const request = new Map()
  for (const { in: where, name, required = false, schema } of operation.parameters ?? [])
    addFields(document, request, `${where}.${name}`, schema, required)
  addContent(document, request, 'body', operation.requestBody?.content)
  /** @type {Map<string, Field>} */
  const response = new Map()
  /** @type {string[]} */
  const errors = []
  for (const [status, declared] of Object.entries(operation.responses)) {
    const { content } = resolve(document, declared)
    if (status < '400') addContent(document, response, status, content)
    else for (const code of codesOf(document, content)) errors.push(code)
  }
  const access = operation.security.map((/** @type {Json} */ each) => Object.keys(each)).join()
  return { id: operation.operationId, access, request, response, errors }
}

/**
 * @param {Json} document
 * @param {Json} schema
 * @returns {Json}
 */
function resolve(document, schema) {
  if (!('$ref' in schema)) return schema
  const parts = schema.$ref.split('/').slice(1)
  return parts.reduce(
    (/** @type {Json} */ value, /** @type {string} */ part) => value[part],
    document,
  )
}

/**
 * @param {Json} document
 * @param {Map<string, Field>} fields
 * @param {string} name
 * @param {Json} [content]
 */
function addContent(document, fields, name, content = {}) {
  for (const [type, { schema }] of Object.entries(content))
    addFields(
      document,
      fields,
      type === 'application/json' ? name : `${name} ${type}`,
      schema,
      true,
    )
}

/**
 * Adds a schema and its fields, by paths such as `body.items[].name`.
 * @param {Json} document
 * @param {Map<string, Field>} fields
 * @param {string} name
 * @param {Json} reference
 * @param {boolean} isRequired
 */
function addFields(document, fields, name, reference, isRequired) {
  const schema = resolve(document, reference ?? {})
  const options = (schema.anyOf ?? schema.oneOf ?? [schema]).map((/** @type {Json} */ option) =>
    resolve(document, option),
  )
  const types = options.flatMap((/** @type {Json} */ { type = 'any', format }) =>
    [type].flat().map((each) => (format ? `${each} (${format})` : each)),
  )
  const values = options.flatMap((/** @type {Json} */ option) => option.enum ?? [])
  fields.set(name, { type: [...new Set(types)].sort().join(' or '), isRequired, values })
  for (const { properties = {}, required = [], items } of options) {
    for (const [property, inner] of Object.entries(properties))
      addFields(document, fields, `${name}.${property}`, inner, required.includes(property))
    if (items) addFields(document, fields, `${name}[]`, items, true)
  }
}

/**
 * @param {Json} document
 * @param {Json} content
 * @returns {string[]}
 */
function codesOf(document, content) {
  const { schema } = content['application/json']
  return (schema.oneOf ?? [schema]).map(
    (/** @type {Json} */ each) => resolve(document, each).properties.error.const,
  )
}

/**
 * The changes as Markdown. A change that several calls share, for example through a schema, is
 * one line.
 * @param {Changes} changes
 */
export function describeChanges({ breaking, added, changed }) {
  const text = section('Breaking', breaking) + section('Added', added) + section('Changed', changed)
  return text === '' ? '\nNothing yet.\n' : text
}

/**
 * @param {string} title
 * @param {string[]} lines
 */
function section(title, lines) {
  /** @type {Map<string, string[]>} */
  const calls = new Map()
  for (const line of lines) {
    const [, call = line, change = ''] = /^(`[^`]+`): (.*)$/.exec(line) ?? []
    const key = change || line
    calls.set(key, [...(calls.get(key) ?? []), call])
  }
  if (calls.size === 0) return ''
  const items = [...calls].map(([change, names]) =>
    names[0] === change ? `- ${change}\n` : `- ${change}: ${names.join(', ')}\n`,
  )
  return `\n## ${title}\n\n${items.join('')}`
}
