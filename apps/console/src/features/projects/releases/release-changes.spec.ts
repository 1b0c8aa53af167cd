import type { Release } from '@slipway/contract/releases'
import { formatNumber, m } from '@slipway/phrases'
import { describe, expect, it } from 'vitest'
import { changesInShort, changesText } from './release-changes.ts'

const release = (changes: Release['changes']) => ({ changes }) as Release
const files = (count: number) => ({ count, files: formatNumber(count, 'en') })

describe('the changes of a release', () => {
  const changes = { added: 12, changed: 41, removed: 3 }

  it('are listed by kind, or in short as the number of files', () => {
    for (const text of [
      m.release_files_added(files(12)),
      m.release_files_changed(files(41)),
      m.release_files_removed(files(3)),
    ])
      expect(changesText(release(changes))).toContain(text)
    expect(changesInShort(release(changes))).toBe(m.release_files_changed(files(56)))
  })

  it('of one kind are the same in short', () => {
    const added = release({ added: 12, changed: 0, removed: 0 })
    expect(changesInShort(added)).toBe(m.release_files_added(files(12)))
  })

  it('are none if all files are the same, and unknown before the check', () => {
    const same = release({ added: 0, changed: 0, removed: 0 })
    expect(changesInShort(same)).toBe(m.release_files_same())
    expect(changesInShort(release(null))).toBeNull()
  })
})
