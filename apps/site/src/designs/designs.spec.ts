import { describe, expect, it } from 'vitest'
import { contrast, textContrast } from './contrast.ts'
import { designIds, lookStyle } from './designs.ts'
import { accentIds } from './palette.ts'

const looks = designIds.flatMap((design) => accentIds.map((accent) => ({ design, accent })))

describe('contrast', () => {
  it.each([
    ['#000000', '#ffffff', 21],
    ['#777777', '#ffffff', 4.48],
    ['#0000ff', '#ffffff', 8.59],
    ['#ffffff', '#ffffff', 1],
  ])('of %s on %s is %d', (one, other, ratio) => {
    expect(contrast(one, other)).toBeCloseTo(ratio, 2)
    expect(contrast(other, one)).toBeCloseTo(ratio, 2)
  })
})

describe('a design in every color', () => {
  it.each(looks)('all texts of $design in $accent are readable, in light and dark', (look) => {
    const { light, dark } = lookStyle(look)
    for (const { paper, tint, ink, soft, accent, onAccent } of [light, dark]) {
      for (const background of [paper, tint])
        for (const text of [ink, soft, accent])
          expect(contrast(text, background)).toBeGreaterThanOrEqual(textContrast - 0.1)
      expect(contrast(onAccent, accent)).toBeGreaterThanOrEqual(4.5)
    }
  })

  it('the colors differ from each other', () => {
    for (const design of designIds) {
      const colors = accentIds.map((accent) => lookStyle({ design, accent }).light.accent)
      expect(new Set(colors).size).toBe(accentIds.length)
    }
  })

  it.each(designIds)('the style of %s loads no other file and has less than 9 kB', (design) => {
    const { css } = lookStyle({ design, accent: 'blue' })
    expect(css).not.toMatch(/url\(|@import|@font-face/)
    expect(css.length).toBeLessThan(9_000)
  })
})
