import { describe, expect, it } from 'vitest'
import { metadataLabel } from './metadata-label.ts'

describe('metadataLabel', () => {
  it('labels known keys', () => {
    expect(metadataLabel('cms_version')).toBe('CMS version')
    expect(metadataLabel('region')).toBe('Region')
  })

  it.each(['storage_class', 'constructor'])('keeps the unknown key %s unchanged', (key) => {
    expect(metadataLabel(key)).toBe(key)
  })
})
