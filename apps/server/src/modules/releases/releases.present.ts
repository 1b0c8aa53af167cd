import type { Release as Response } from '@slipway/contract/releases'
import { formatBytes, formatNumber, type Locale, m } from '@slipway/phrases'
import type { LogLine } from './releases.schema.ts'
import type { ListedRelease } from './releases.store.ts'

/** A release as the contract declares it. */
export const toResponse = (release: ListedRelease): Response => ({
  id: release.id,
  number: release.number,
  runtime: release.runtime,
  state: release.state,
  failure: release.failure,
  failureDetail: release.failureDetail,
  source: release.source,
  rollbackOf: release.rollbackOf,
  image: release.image,
  createdBy: { id: release.userId, name: release.userName },
  archiveBytes: release.archiveBytes,
  files: release.files,
  bytes: release.bytes,
  changes: release.changes,
  createdAt: release.createdAt.toISOString(),
  finishedAt: release.finishedAt?.toISOString() ?? null,
})

/** A line of the log in the reader's language. */
export function logText(line: LogLine, locale: Locale): string {
  switch (line.event) {
    case 'received':
      return m.release_log_received({ size: formatBytes(line.bytes, locale) }, { locale })
    case 'unpacked': {
      const files = formatNumber(line.files, locale)
      return m.release_log_unpacked(
        { count: line.files, files, size: formatBytes(line.bytes, locale) },
        { locale },
      )
    }
    case 'image':
      return m.release_log_image({ image: line.reference }, { locale })
    case 'live':
      return m.release_log_live({}, { locale })
    case 'deployed':
      return m.release_log_deployed({}, { locale })
    case 'output':
      return line.text
  }
}
