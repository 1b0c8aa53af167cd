import { describe, expect, it } from 'vitest'
import { metadataLabel } from './metadata-label.ts'

describe('metadata label', () => {
  it('names the keys it knows', () => {
    expect(metadataLabel('cms_version')).toBe('CMS version')
    expect(metadataLabel('region')).toBe('Region')
  })

  it.each(['storage_class', 'constructor'])('shows the unknown key %s as it is', (key) => {
    expect(metadataLabel(key)).toBe(key)
  })
})
