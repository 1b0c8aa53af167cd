import { maxHeaderSize } from 'node:http'
import type { RuleProblem } from '@slipway/contract/releases'
import { compilePath, examplePath, type PathPattern, segmentsOf } from './path-pattern.ts'
import { maxRules } from './rule-limits.ts'

export type RedirectRule = {
  path: PathPattern
  /** Query parameters that the request must have; a value `:name` is a placeholder. */
  query: [name: string, value: string][]
  to: string
  status: number
  /** Applies even if the path has a file (`301!`). */
  force: boolean
  /** Counts from 1. */
  line: number
  /** A matching request. */
  example: string
}

/** A line without effect. Lines count from 1. */
export type IgnoredLine = { line: number; problem: RuleProblem }

const statuses = new Set([200, 301, 302, 303, 307, 308, 404, 410])
/**
 * Reads a `_redirects` file in the format that Netlify documents: `from [query] to [status]`, the
 * first match wins. A rewrite (200) leads to a path of the site. Proxying to other hosts and
 * conditions such as `Country` are ignored lines.
 */
export function parseRedirects(text: string): { rules: RedirectRule[]; ignored: IgnoredLine[] } {
  const rules: RedirectRule[] = []
  const ignored: IgnoredLine[] = []
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const words = line.replace(/(^|\s)#.*/, '').trim()
    if (words === '') continue
    const number = index + 1
    const rule = rules.length < maxRules ? parseRule(words.split(/\s+/), number) : 'too_many_rules'
    if (typeof rule === 'object') rules.push(rule)
    else ignored.push({ line: number, problem: rule })
  }
  return { rules, ignored }
}

function parseRule([from = '', ...rest]: string[], line: number): RedirectRule | RuleProblem {
  const pattern = pathOf(from)
  const path = compilePath(pattern)
  if (!path) return 'path_invalid'
  const target = rest.findIndex((word) => isTarget(word))
  const to = rest[target]
  if (to === undefined) return 'target_missing'
  const query = rest.slice(0, target).map(parseParameter)
  if (query.includes(null)) return 'query_invalid'
  const parameters = query as [string, string][]
  const [statusText = '301', ...conditions] = rest.slice(target + 1)
  if (conditions.length > 0) return 'condition_unsupported'
  const [, digits, mark] = /^(\d{3})(!?)$/.exec(statusText) ?? []
  const status = Number(digits)
  if (!statuses.has(status)) return 'status_invalid'
  const isInternal = to.startsWith('/') && !to.startsWith('//')
  if (!isInternal && (status < 300 || status >= 400)) return 'proxy_unsupported'
  const search = new URLSearchParams(parameters).toString()
  const example = examplePath(pattern) + (search && `?${search}`)
  return { path, query: parameters, to, status, force: mark === '!', line, example }
}

const isTarget = (word: string) => /^(?:https?:\/)?\//i.test(word)

/** The path of a source, which may be a whole URL of the site. */
const pathOf = (from: string) => from.replace(/^https?:\/\/[^/]+/i, '')

function parseParameter(word: string): [string, string] | null {
  const [, name, value] = /^([^=]+)=(.*)$/.exec(word) ?? []
  return name === undefined || value === undefined ? null : [name, value]
}

export type Redirection = { to: string; status: number }

type Match = { rule: RedirectRule; values: Record<string, string> }

/** The first matching rule, with its placeholders. `forced` limits it to `!` rules. */
export function findRule(
  rules: readonly RedirectRule[],
  path: string,
  search: string,
  forced: boolean,
): Match | null {
  const segments = segmentsOf(path)
  // Reversed, so that the first value of a name is kept.
  const parameters = new Map([...new URLSearchParams(search)].reverse())
  for (const rule of rules) {
    if (forced && !rule.force) continue
    const inQuery = rule.path.matches(segments) && matchQuery(rule, parameters)
    if (inQuery) return { rule, values: { ...rule.path.valuesOf(segments), ...inQuery } }
  }
  return null
}

/** Where the first matching rule leads; null if nowhere. `forced` limits it to `!` rules. */
export function findRedirect(
  rules: readonly RedirectRule[],
  path: string,
  search: string,
  forced: boolean,
): Redirection | null {
  const match = findRule(rules, path, search, forced)
  if (!match) return null
  const { rule, values } = match
  const to = fillTarget(rule, values, search)
  return to === null ? null : { to, status: rule.status }
}

/** The placeholders of a query that matches a rule; null for one that does not. */
function matchQuery({ query }: RedirectRule, parameters: ReadonlyMap<string, string>) {
  const values: Record<string, string> = {}
  for (const [name, expected] of query) {
    const value = parameters.get(name)
    if (value === undefined) return null
    if (expected.startsWith(':')) values[expected.slice(1)] = value
    else if (value !== expected) return null
  }
  return values
}

/** A header has only ASCII; the rules are UTF-8. */
const asHeader = (target: string) =>
  target.toWellFormed().replace(/[^\x21-\x7e]+/g, encodeURIComponent)

/** The gateway accepts no longer request. */
const maxTargetLength = maxHeaderSize

/**
 * Fills the placeholders; the request's query is appended unless the target has one. Null for a
 * target that becomes too long: a rule may repeat a long value thousands of times.
 */
function fillTarget({ to, query }: RedirectRule, values: Record<string, string>, search: string) {
  if (to.length > maxTargetLength) return null
  // Encoded again: a decoded `//` or line break must not make another target.
  const encoded = new Map(
    Object.entries(values).map(([name, value]) => [
      name,
      value.split('/').map(encodeURIComponent).join('/'),
    ]),
  )
  let filledLength = 0
  const filled = asHeader(to).replace(/:([A-Za-z_]\w*)/g, (all, name: string) => {
    const value = encoded.get(name) ?? all
    filledLength += value.length
    return filledLength > maxTargetLength ? '' : value
  })
  if (filledLength > maxTargetLength) return null
  const safe = filled.startsWith('/') ? `/${filled.replace(/^\/+/, '')}` : filled
  return query.length > 0 || safe.includes('?') ? safe : `${safe}${search}`
}
