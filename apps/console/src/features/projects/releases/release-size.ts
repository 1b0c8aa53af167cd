import type { Release } from '@slipway/contract/releases'
import { formatBytes, formatNumber, getLocale, m } from '@slipway/phrases'

/** The size of a release's files: `120 files, 4.2 MB`; null until they are unpacked. */
export const sizeText = ({ files, bytes }: Release): string | null =>
  files === null || bytes === null
    ? null
    : m.release_size({
        count: files,
        files: formatNumber(files, getLocale()),
        size: formatBytes(bytes, getLocale()),
      })
