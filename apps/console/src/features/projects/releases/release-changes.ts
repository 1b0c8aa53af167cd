import type { Release } from '@slipway/contract/releases'
import { formatList, formatNumber, getLocale, m } from '@slipway/phrases'

/** The changes of a release: `2 added, 1 changed`; null until it is checked. */
export function changesText({ changes }: Release): string | null {
  if (!changes) return null
  const locale = getLocale()
  const { added, changed, removed } = changes
  const parts = [
    added > 0 && m.release_files_added({ count: added, files: formatNumber(added, locale) }),
    changed > 0 &&
      m.release_files_changed({ count: changed, files: formatNumber(changed, locale) }),
    removed > 0 &&
      m.release_files_removed({ count: removed, files: formatNumber(removed, locale) }),
  ].filter((part) => part !== false)
  return parts.length > 0 ? formatList(parts, locale) : m.release_files_same()
}

/** The same for a narrow column: several kinds of changes are one number of files. */
export function changesInShort(release: Release): string | null {
  const { added = 0, changed = 0, removed = 0 } = release.changes ?? {}
  const count = added + changed + removed
  return [0, added, changed, removed].includes(count)
    ? changesText(release)
    : m.release_files_changed({ count, files: formatNumber(count, getLocale()) })
}
