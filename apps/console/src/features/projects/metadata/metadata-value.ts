import { m } from '@slipway/phrases'

/** What the local engine says of its sites' database, before the version of its files. */
const flatFile = /^Flat file (\S+)$/

/** A metadata value in the user's language; a name, a number and what a newer engine says stay as they are. */
export function metadataValue(key: string, value: string) {
  if (key === 'engine' && value === 'local') return m.projects_meta_engine_local()
  const version = key === 'database_version' ? flatFile.exec(value)?.[1] : undefined
  return version === undefined ? value : m.projects_meta_flat_file({ version })
}
