import { describe, expect, it } from 'vitest'
import { metadataValue } from './metadata-value.ts'

describe('metadataValue', () => {
  it.each([
    ['engine', 'local', 'Local'],
    ['database_version', 'Flat file 1', 'Flat file 1'],
    ['database_version', 'Flat file 2.1', 'Flat file 2.1'],
  ])('translates %s %s', (key, value, shown) => {
    expect(metadataValue(key, value)).toBe(shown)
  })

  it.each([
    ['engine', 'kubernetes'],
    ['region', 'local'],
    ['database_version', '18.1'],
    ['database_version', 'Flat file'],
    ['cms_version', 'Flat file 1'],
  ])('keeps %s %s unchanged', (key, value) => {
    expect(metadataValue(key, value)).toBe(value)
  })
})
