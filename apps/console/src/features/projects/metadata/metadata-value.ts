import { m } from '@slipway/phrases'

/** How the local engine describes the database of its sites; the version follows. */
const flatFile = /^Flat file (\S+)$/

/** A metadata value in the user's language; names, numbers and unknown values are unchanged. */
export function metadataValue(key: string, value: string) {
  if (key === 'engine' && value === 'local') return m.projects_meta_engine_local()
  const version = key === 'database_version' ? flatFile.exec(value)?.[1] : undefined
  return version === undefined ? value : m.projects_meta_flat_file({ version })
}
