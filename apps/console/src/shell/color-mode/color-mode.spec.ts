import { describe, expect, it } from 'vitest'
import { parseColorMode, themeOf } from './color-mode.ts'

describe('colour mode', () => {
  it.each([null, '', 'blue', 'DARK'])('is auto when the device remembers %s', (stored) => {
    expect(parseColorMode(stored)).toBe('auto')
  })

  it('is what the device remembers', () => {
    expect(parseColorMode('dark')).toBe('dark')
  })

  it('follows the system when it is auto, and nothing else', () => {
    expect([themeOf('auto', true), themeOf('auto', false)]).toEqual(['dark', 'light'])
    expect([themeOf('light', true), themeOf('dark', false)]).toEqual(['light', 'dark'])
  })
})
