/** The query parameters of an address. One that is given several times is a list: nobody takes it for text. */
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

/** The query that gives these parameters back; those that are undefined are left out. */
export function stringifySearch(search: Record<string, unknown>) {
  const given = Object.entries(search).flatMap(([name, value]) =>
    [value].flat().map((part) => [name, part]),
  )
  const present = given.filter(([, value]) => value !== undefined)
  const query = new URLSearchParams(present.map(([name, value]) => [String(name), String(value)]))
  return query.size > 0 ? `?${query}` : ''
}

/** The number of the page of a list that an address names; the first for whatever is none. */
export function pageNumber(value: unknown) {
  const last = 1_000_000
  return typeof value === 'string' && /^[1-9]\d*$/.test(value) ? Math.min(Number(value), last) : 1
}
