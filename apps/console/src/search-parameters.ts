/** The query parameters of an address. A repeated parameter is a list. */
export function parseSearch(search: string) {
  const query = new URLSearchParams(search)
  const names = [...new Set(query.keys())]
  return Object.fromEntries(
    names.map((name) => {
      const values = query.getAll(name)
      return [name, values.length > 1 ? values : values[0]]
    }),
  )
}

/** The query string of these parameters. Undefined parameters are omitted. */
export function stringifySearch(search: Record<string, unknown>) {
  const entries = Object.entries(search).flatMap(([name, value]) =>
    [value].flat().map((part) => [name, part]),
  )
  const definedEntries = entries.filter(([, value]) => value !== undefined)
  const query = new URLSearchParams(
    definedEntries.map(([name, value]) => [String(name), String(value)]),
  )
  return query.size > 0 ? `?${query}` : ''
}

/** The page number in an address; 1 if it is invalid. */
export function pageNumber(value: unknown) {
  const max = 1_000_000
  return typeof value === 'string' && /^[1-9]\d*$/.test(value) ? Math.min(Number(value), max) : 1
}
