/** A path of `_redirects` or `_headers`, with `:name` for a segment and `*` for the rest. */
export type PathPattern = (path: string) => Record<string, string> | null

const escapeRegExp = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/**
 * Compiles a path; null when it does not start with `/` or has a `*` before its end. The match has
 * the placeholders, and as `splat` what `*` stands for. A trailing slash makes no difference.
 */
export function compilePath(pattern: string): PathPattern | null {
  if (!pattern.startsWith('/') || pattern.slice(0, -1).includes('*')) return null
  const names: string[] = []
  const hasSplat = pattern.endsWith('*')
  const segments = trimSlash(hasSplat ? pattern.slice(0, -1) : pattern).split('/')
  const sources = segments.map((segment) => {
    const [, name] = /^:([A-Za-z_]\w*)$/.exec(segment) ?? []
    if (name === undefined) return escapeRegExp(segment)
    names.push(name)
    return '([^/]+)'
  })
  if (hasSplat) names.push('splat')
  const expression = new RegExp(`^${sources.join('/')}${hasSplat ? '(?:/(.*))?' : ''}$`, 's')
  return (path) => {
    const match = expression.exec(trimSlash(path))
    if (!match) return null
    return Object.fromEntries(names.map((name, index) => [name, match[index + 1] ?? '']))
  }
}

const trimSlash = (path: string) => (path.endsWith('/') ? path.slice(0, -1) : path)
