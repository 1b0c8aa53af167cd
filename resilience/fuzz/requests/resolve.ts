import type { CallerName } from '../population/callers.ts'
import { isObject, MarkedText, RawText, Reference, type Value } from './value.ts'

/** Looks up the current value of a reference: an id, a token or a solved captcha. */
export type LookUp = (reference: Reference, caller: CallerName) => Promise<Value> | Value

/** Replaces references and marked texts by their values for the caller. */
export async function resolve(
  value: Value,
  caller: CallerName,
  marker: string,
  lookUp: LookUp,
): Promise<Value> {
  if (value instanceof Reference) return lookUp(value, caller)
  if (value instanceof MarkedText) return `Example ${marker} ${value.rest}`.trim()
  if (Array.isArray(value))
    return Promise.all(value.map((each) => resolve(each, caller, marker, lookUp)))
  if (!isObject(value)) return value
  const fields = Object.entries(value).map(
    async ([name, each]) => [name, await resolve(each, caller, marker, lookUp)] as const,
  )
  return Object.fromEntries(await Promise.all(fields))
}

/** Percent-encodes text for a URL; lone surrogates become U+FFFD, as in a browser. */
const encode = (text: string) => encodeURIComponent(text.toWellFormed())

function partOf(value: Value): string {
  if (value instanceof RawText) return value.text
  return encode(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))
}

/** The path and query of a request below the API's base. */
export function pathOf(
  path: string,
  params: Record<string, Value>,
  query: Record<string, Value>,
): string {
  const filled = path.replace(/:(\w+)/g, (_, name: string) => partOf(params[name]))
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    value === undefined
      ? []
      : (Array.isArray(value) ? value : [value]).map((each) => [name, each] as const),
  )
  const search = pairs.map(([name, value]) => `${encode(name)}=${partOf(value)}`).join('&')
  return search === '' ? filled : `${filled}?${search}`
}
