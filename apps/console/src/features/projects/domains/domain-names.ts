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
 * The name of a record as providers want it, relative to the zone: `www`, or `@` for the zone
 * itself. A name outside of the zone stays as it is.
 */
export function relativeName(name: string, zone: string) {
  if (name === zone) return '@'
  return name.endsWith(`.${zone}`) ? name.slice(0, -zone.length - 1) : name
}
