import { describe, expect, it } from 'vitest'
import { siteHue } from './site-hue.ts'

const hueOf = (key: string) => siteHue({ key: key as never })

describe('the hue of a site', () => {
  it('is an angle that depends on its key alone', () => {
    for (const key of ['shop-x7k2p1', 'museum-a1b2c3', 'çiçek-000000']) {
      expect(hueOf(key)).toBe(hueOf(key))
      expect(hueOf(key)).toBeGreaterThanOrEqual(0)
      expect(hueOf(key)).toBeLessThanOrEqual(360)
    }
  })

  it('differs for keys that differ in one character', () => {
    expect(Math.abs(hueOf('shop-x7k2p1') - hueOf('shop-x7k2p2'))).toBeGreaterThan(60)
  })
})
