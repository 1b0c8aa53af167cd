/**
 * A path of `_redirects` or `_headers`, with `:name` for a segment and `*` for the rest. It matches
 * the segments of a path, which are split once for all rules: a regular expression for each rule
 * would scan a long path a thousand times.
 */
export type PathPattern = {
  /** Reads only as many segments as the pattern has. */
  matches(segments: readonly string[]): boolean
  /** The values of the placeholders in a path that matches; the value of `*` is `splat`. */
  valuesOf(segments: readonly string[]): Record<string, string>
}

const placeholder = /^:([A-Za-z_]\w*)$/

const trimSlash = (path: string) => (path.endsWith('/') ? path.slice(0, -1) : path)

/** The segments of a path. A trailing slash makes no difference. */
export const segmentsOf = (path: string): string[] => trimSlash(path).split('/')

/** Compiles a path; null if it does not start with `/` or has a `*` before its end. */
export function compilePath(pattern: string): PathPattern | null {
  if (!pattern.startsWith('/') || pattern.slice(0, -1).includes('*')) return null
  const hasSplat = pattern.endsWith('*')
  const parts = segmentsOf(hasSplat ? pattern.slice(0, -1) : pattern).map((text) => ({
    text,
    name: placeholder.exec(text)?.[1],
  }))
  return {
    matches(segments) {
      const fits = hasSplat ? segments.length >= parts.length : segments.length === parts.length
      return (
        fits &&
        parts.every(({ text, name }, index) =>
          name === undefined ? segments[index] === text : segments[index] !== '',
        )
      )
    },
    valuesOf(segments) {
      const values = parts.flatMap(({ name }, index) =>
        name === undefined ? [] : [[name, segments[index] ?? ''] as const],
      )
      const splat = hasSplat ? [['splat', segments.slice(parts.length).join('/')] as const] : []
      return Object.fromEntries([...values, ...splat])
    },
  }
}

/** A path that the pattern matches, encoded as in a request. */
export const examplePath = (pattern: string): string =>
  segmentsOf(pattern.replace(/\/?\*$/, '/example'))
    .map((part) => (placeholder.test(part) ? 'example' : encodeURIComponent(part)))
    .join('/')
