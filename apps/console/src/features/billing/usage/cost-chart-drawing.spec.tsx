import { m } from '@slipway/phrases'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { Bars } from './cost-chart-drawing.tsx'

/** The bars of ten days, all of the same height. */
const bars = Array.from({ length: 10 }, (_, index) => ({
  date: `2026-11-${10 + index}`,
  soFar: 0,
  expected: 100,
}))

const drawn = (capDay: string | null, capProject?: string) =>
  renderToStaticMarkup(<Bars bars={bars} selected={null} capDay={capDay} capProject={capProject} />)

/** The positions of the vertical dashed lines. */
const marks = (svg: string) =>
  [...svg.matchAll(/<line x1="([\d.]+%)" x2="\1"[^>]*stroke-dasharray/g)].map(([, x]) => x)

describe('the drawing of the cost chart', () => {
  it('marks the end of the day of the monthly cap, with a label beside the mark', () => {
    const svg = drawn('2026-11-16')
    expect(marks(svg)).toEqual(['70%'])
    expect(svg).toMatch(/<text x="70%" dx="-6"[^>]*text-anchor="end"/)
    expect(svg).toContain(`>${m.invoices_active_cap({ day: 'Nov 16' })}</text>`)
    expect(drawn('2026-11-16', 'Harbour Cafe')).toContain(
      `>${m.invoices_active_cap_project({ project: 'Harbour Cafe' })}</text>`,
    )
    expect(drawn('2026-11-12')).toMatch(/<text x="30%" dx="6"[^>]*text-anchor="start"/)
  })

  it('marks the cap on the first and on the last day, too', () => {
    expect(marks(drawn('2026-11-10'))).toEqual(['10%'])
    expect(marks(drawn('2026-11-19'))).toEqual(['100%'])
  })

  it('has no mark while no project reaches the cap in the period', () => {
    for (const capDay of [null, '2026-12-02']) {
      const svg = drawn(capDay)
      expect(marks(svg)).toEqual([])
      expect(svg).not.toContain('<text')
    }
  })
})
