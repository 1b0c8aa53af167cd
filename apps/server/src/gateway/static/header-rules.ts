import { validateHeaderName, validateHeaderValue } from 'node:http'
import type { RuleProblem } from '@slipway/contract/releases'
import { hopByHop, isForProxy, projectHeader } from '../headers.ts'
import { compilePath, type PathPattern, segmentsOf } from './path-pattern.ts'
import type { IgnoredLine } from './redirects.ts'
import { maxRules } from './rule-limits.ts'

export type HeaderRule = { path: PathPattern; headers: [name: string, value: string][] }

/** Headers that only the gateway sets. */
const reserved = new Set([
  ...hopByHop,
  'content-encoding',
  'content-length',
  'content-range',
  'date',
  'etag',
  'set-cookie',
  'vary',
  projectHeader,
])

/**
 * Parses a `_headers` file in Netlify's format: a path on a line, then indented lines
 * `Name: value`. Returns the rules, and the invalid lines, which have no effect.
 */
export function parseHeaderRules(text: string): { rules: HeaderRule[]; ignored: IgnoredLine[] } {
  const rules: HeaderRule[] = []
  const ignored: IgnoredLine[] = []
  let current: HeaderRule | undefined
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const content = line.trim()
    if (content === '' || content.startsWith('#')) continue
    const problem = /^\s/.test(line) ? addHeader(content) : addRule(content)
    if (problem) ignored.push({ line: index + 1, problem })
  }
  return { rules, ignored }

  function addRule(pattern: string): RuleProblem | null {
    current = undefined
    if (rules.length >= maxRules) return 'too_many_rules'
    const path = compilePath(pattern)
    if (!path) return 'path_invalid'
    current = { path, headers: [] }
    rules.push(current)
    return null
  }

  function addHeader(content: string): RuleProblem | null {
    if (!current) return 'path_missing'
    const header = parseHeader(content)
    if (typeof header === 'string') return header
    current.headers.push(header)
    return null
  }
}

function parseHeader(line: string): [name: string, value: string] | RuleProblem {
  const colon = line.indexOf(':')
  const name = line.slice(0, colon).trim().toLowerCase()
  const value = line.slice(colon + 1).trim()
  try {
    validateHeaderName(name)
    validateHeaderValue(name, value)
  } catch {
    return 'header_invalid'
  }
  return reserved.has(name) || isForProxy(name) ? 'header_reserved' : [name, value]
}

/**
 * The headers of all rules that match the decoded path; values of the same name are joined by
 * commas.
 */
export function findHeaders(rules: readonly HeaderRule[], path: string): Record<string, string> {
  // Without a prototype, a header may have any name.
  const headers: Record<string, string> = Object.create(null)
  const segments = segmentsOf(path)
  for (const rule of rules) {
    if (!rule.path.matches(segments)) continue
    for (const [name, value] of rule.headers)
      headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`
  }
  return headers
}
