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

/** The query string of these parameters, without the undefined ones. */
export function stringifySearch(search: Record<string, unknown>) {
  const given = Object.entries(search).flatMap(([name, value]) =>
    [value].flat().map((part) => [name, part]),
  )
  const present = given.filter(([, value]) => value !== undefined)
  const query = new URLSearchParams(present.map(([name, value]) => [String(name), String(value)]))
  return query.size > 0 ? `?${query}` : ''
}

/** The page number in an address; 1 if it is invalid. */
export function pageNumber(value: unknown) {
  const last = 1_000_000
  return typeof value === 'string' && /^[1-9]\d*$/.test(value) ? Math.min(Number(value), last) : 1
}
