/** The host of a pasted URL; other text as typed. */
export const typedHost = (text: string) =>
  text
    .trim()
    .replace(/^[a-z][a-z\d+.-]*:\/\//i, '')
    .replace(/[/?#].*$/s, '')
    .replace(/:\d*$/, '')

/** The same name with `www.` or without. */
export const counterpartOf = (host: string) =>
  host.startsWith('www.') ? host.slice('www.'.length) : `www.${host}`

/**
 * The name of a record as providers expect it, relative to the zone: `www`, or `@` for the zone. A
 * name that is not in the zone is unchanged.
 */
export function relativeName(name: string, zone: string) {
  if (name === zone) return '@'
  return name.endsWith(`.${zone}`) ? name.slice(0, -zone.length - 1) : name
}
