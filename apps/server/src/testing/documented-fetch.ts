import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { openApiDocument } from '../http/openapi/document.ts'

const api = openApiDocument('/api')
const ajv = new Ajv2020({ strict: false })
addFormats.default(ajv)
ajv.addSchema(api, 'api')

/** The operations, each with a matcher of its path. Paths without parameters come first. */
const templates = Object.keys(api.paths)
  .sort((first, second) => first.split('{').length - second.split('{').length)
  .map((path) => ({
    path,
    pattern: new RegExp(`^/api${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  }))

const validators = new Map<string, ValidateFunction>()

function validatorOf(...pointer: string[]) {
  const path = pointer.map((part) => part.replaceAll('~', '~0').replaceAll('/', '~1')).join('/')
  const $ref = `api#/${path.split('/').map(encodeURIComponent).join('/')}`
  const validator = validators.get($ref) ?? ajv.compile({ $ref })
  validators.set($ref, validator)
  return validator
}

/** The pointer to the response with this status in the document; undefined if undocumented. */
function pointerOf(path: string, method: string, status: number) {
  const response = api.paths[path]?.[method]?.responses as Record<string, object> | undefined
  const declared = response?.[status]
  if (declared === undefined) return undefined
  return '$ref' in declared
    ? ['components', 'responses', `Status${status}`]
    : ['paths', path, method, 'responses', String(status)]
}

/** Throws if the API's document does not have this response. */
async function requireDocumented(method: string, url: string, response: Response) {
  const { pathname } = new URL(url, 'http://localhost')
  const template = templates.find(
    ({ path, pattern }) => pattern.test(pathname) && api.paths[path]?.[method] !== undefined,
  )
  // A test's own endpoint.
  if (template === undefined) return
  const name = `${method.toUpperCase()} ${template.path} ${response.status}`
  const pointer = pointerOf(template.path, method, response.status)
  if (pointer === undefined) throw new Error(`${name} is not in the API document`)
  if (!response.headers.get('content-type')?.startsWith('application/json')) return
  const validate = validatorOf(...pointer, 'content', 'application/json', 'schema')
  if (!validate(await response.json()))
    throw new Error(`${name} differs from the API document: ${ajv.errorsText(validate.errors)}`)
}

/** A `fetch` that rejects when a response differs from the API's document. */
export const documentedFetch =
  (fetch: typeof globalThis.fetch): typeof globalThis.fetch =>
  async (input, init) => {
    const response = await fetch(input, init)
    await requireDocumented((init?.method ?? 'GET').toLowerCase(), String(input), response.clone())
    return response
  }
