import { describe, expect, it } from 'vitest'
import { parseColorMode, themeOf } from './color-mode.ts'

describe('color mode', () => {
  it.each([null, '', 'blue', 'DARK'])('is auto for the stored value %s', (stored) => {
    expect(parseColorMode(stored)).toBe('auto')
  })

  it('is the stored mode', () => {
    expect(parseColorMode('dark')).toBe('dark')
  })

  it('follows the system only when it is auto', () => {
    expect([themeOf('auto', true), themeOf('auto', false)]).toEqual(['dark', 'light'])
    expect([themeOf('light', true), themeOf('dark', false)]).toEqual(['light', 'dark'])
  })
})
