import { describe, expect, it } from 'vitest'
import { metadataValue, visibleMetadata } from './metadata-value.ts'

describe('visibleMetadata', () => {
  it('hides the engine from customers and keeps the order', () => {
    const metadata = ['cms_version', 'engine', 'region'].map((key) => ({ key, value: 'x' }))
    expect(visibleMetadata(metadata).map(({ key }) => key)).toEqual(['cms_version', 'region'])
  })

  it('shows unknown keys', () => {
    expect(visibleMetadata([{ key: 'build', value: '7' }])).toHaveLength(1)
  })
})

describe('metadataValue', () => {
  it.each([
    ['database_version', 'Flat file 1', 'File storage v1'],
    ['database_version', 'Flat file 2.1', 'File storage v2.1'],
  ])('translates %s %s', (key, value, shown) => {
    expect(metadataValue(key, value)).toBe(shown)
  })

  it.each([
    ['region', 'local'],
    ['database_version', '18.1'],
    ['database_version', 'Flat file'],
    ['cms_version', 'Flat file 1'],
  ])('keeps %s %s unchanged', (key, value) => {
    expect(metadataValue(key, value)).toBe(value)
  })
})
