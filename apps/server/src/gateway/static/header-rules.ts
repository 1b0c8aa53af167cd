import { validateHeaderName, validateHeaderValue } from 'node:http'
import { hopByHop, isForProxy, projectHeader } from '../headers.ts'
import { compilePath, type PathPattern, segmentsOf } from './path-pattern.ts'
import type { IgnoredLine } from './redirects.ts'

export type HeaderRule = { match: PathPattern; headers: [name: string, value: string][] }

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

const maxRules = 1_000

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
    if (/^\s/.test(line)) {
      const header = current ? parseHeader(content) : null
      if (header) {
        current?.headers.push(header)
        continue
      }
    } else {
      const match = rules.length < maxRules ? compilePath(content) : null
      current = match ? { match, headers: [] } : undefined
      if (current) {
        rules.push(current)
        continue
      }
    }
    ignored.push({ line: index + 1, text: content.slice(0, 200) })
  }
  return { rules, ignored }
}

function parseHeader(line: string): [string, string] | null {
  const colon = line.indexOf(':')
  const name = line.slice(0, colon).trim().toLowerCase()
  const value = line.slice(colon + 1).trim()
  try {
    validateHeaderName(name)
    validateHeaderValue(name, value)
  } catch {
    return null
  }
  return reserved.has(name) || isForProxy(name) ? null : [name, value]
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
    if (!rule.match(segments)) continue
    for (const [name, value] of rule.headers)
      headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`
  }
  return headers
}
