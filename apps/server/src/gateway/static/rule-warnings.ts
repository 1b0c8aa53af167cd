import type { RuleProblem } from '@slipway/contract/releases'
import type { ArtifactFiles } from '../../artifacts/artifact-layout.ts'
import { findRule, type RedirectRule } from './redirects.ts'
import { decodePath, resolve } from './resolve.ts'
import { loadSite, type RuleFile, type StaticSite } from './static-site.ts'

/** A line of `_redirects` or `_headers` with a problem. Lines count from 1. */
export type RuleWarning = { file: RuleFile; line: number; problem: RuleProblem }

/** The most redirects that browsers follow. */
const maxRedirects = 20
/** A longer target grows with each redirect, so the redirects never end. */
const maxPathLength = 2_000
/** The most requests that are tried, because each reads all rules. */
const maxRequests = 2_000

/**
 * The lines of the rules of a static site that have no effect, and the redirects that never end.
 * `hosts` are the site's.
 */
export async function findRuleWarnings(
  files: ArtifactFiles,
  hosts: readonly string[],
): Promise<RuleWarning[]> {
  const { site, ignored } = await loadSite(files)
  const redirects = [...ignored._redirects, ...findEndless(site, hosts)].sort(
    (first, second) => first.line - second.line,
  )
  return [
    ...redirects.map((line) => ({ file: '_redirects' as const, ...line })),
    ...ignored._headers.map((line) => ({ file: '_headers' as const, ...line })),
  ]
}

/** Follows an example of each redirect, as a browser does. */
function findEndless(site: StaticSite, hosts: readonly string[]) {
  let requests = 0
  const next = (target: string): string | null => {
    requests++
    const resolved = resolve(site, target)
    return resolved.kind === 'redirect' ? targetOnSite(resolved.to, hosts) : null
  }
  const isEndless = ({ example }: RedirectRule) => {
    let target: string | null = example
    for (let count = 0; count < maxRedirects; count++) {
      target = next(target)
      if (target === null) return false
      if (target.length > maxPathLength) return true
    }
    return true
  }
  return site.redirects
    .filter((rule) => requests < maxRequests && isReached(site, rule) && isEndless(rule))
    .map(({ line }) => ({ line, problem: 'endless' as const }))
}

/** False when an earlier rule matches the same requests. */
function isReached({ redirects }: StaticSite, rule: RedirectRule): boolean {
  const [rawPath = '', query = ''] = rule.example.split('?')
  const path = decodePath(rawPath) ?? ''
  const first = findRule(redirects, path, query, true) ?? findRule(redirects, path, query, false)
  return first?.rule === rule
}

/** The path and query that a redirect leads to; null if it leads to another site. */
function targetOnSite(to: string, hosts: readonly string[]): string | null {
  const target = URL.parse(to, `http://${hosts[0] ?? 'localhost'}`)
  const isHere = to.startsWith('/') || (target && hosts.includes(target.hostname))
  return target && isHere ? target.pathname + target.search : null
}
