import type { ProjectDetail } from '@slipway/contract/projects'
import { m } from '@slipway/phrases'

type Metadata = ProjectDetail['metadata']

/** The metadata that customers see. The engine is for operators, who read it from the API. */
export const visibleMetadata = (metadata: Metadata) =>
  metadata.filter(({ key }) => key !== 'engine')

/** How the local engine describes the database of its sites; the version follows. */
const flatFile = /^Flat file (\S+)$/

/** A metadata value in the user's language; names, numbers and unknown values are unchanged. */
export function metadataValue(key: string, value: string) {
  const version = key === 'database_version' ? flatFile.exec(value)?.[1] : undefined
  return version === undefined ? value : m.projects_meta_flat_file({ version })
}
