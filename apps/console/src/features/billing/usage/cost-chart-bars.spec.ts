import type { Amount } from '@slipway/contract/amount'
import { describe, expect, test } from 'vitest'
import { axisLabels, barHeight, chartBars, indexOfToday } from './cost-chart-bars.ts'

const day = (date: string, amount: string, expected = amount) => ({
  date,
  amount: amount as Amount,
  expected: expected as Amount,
})

describe('the bars of the cost chart', () => {
  test('fill the chart on the most expensive day and are proportional on the others', () => {
    expect(
      chartBars([
        day('2026-11-01', '0.30000'),
        day('2026-11-02', '0.10000', '0.60000'),
        day('2026-11-03', '0.00000', '0.40000'),
      ]),
    ).toEqual([
      { date: '2026-11-01', soFar: 50, expected: 50 },
      { date: '2026-11-02', soFar: 16.67, expected: 100 },
      { date: '2026-11-03', soFar: 0, expected: 66.67 },
    ])
  })

  test('are exact where a float would lose digits', () => {
    const dearest = '90071992547409930.00003' as Amount
    expect(barHeight('90071992547409930.00003' as Amount, dearest)).toBe(100)
    expect(barHeight('45035996273704965.00001' as Amount, dearest)).toBe(50)
  })

  test('are empty without costs', () => {
    expect(chartBars([day('2026-11-01', '0.00000')])).toEqual([
      { date: '2026-11-01', soFar: 0, expected: 0 },
    ])
    expect(chartBars([])).toEqual([])
  })
})

describe('today on the axis of the chart', () => {
  const days = [day('2026-11-29', '0.00000'), day('2026-11-30', '0.00000')]

  test('is the day in UTC', () => {
    expect(indexOfToday(days, '2026-11-29T23:59:59Z')).toBe(0)
    expect(indexOfToday(days, '2026-11-30T00:00:00Z')).toBe(1)
  })

  test('is the nearest day if it is in another month', () => {
    expect(indexOfToday(days, '2026-11-03T00:00:00Z')).toBe(0)
    expect(indexOfToday(days, '2026-12-03T00:00:00Z')).toBe(1)
  })

  test('is labeled beside the first day of each week; a phone has the first and the fifteenth', () => {
    expect(axisLabels(30, 24)).toEqual([
      { day: 0, wideOnly: false },
      { day: 7, wideOnly: true },
      { day: 14, wideOnly: false },
      { day: 21, wideOnly: true },
      { day: 24, wideOnly: false },
      { day: 28, wideOnly: true },
    ])
  })

  test('replaces a label beside it, and hides a close one on a phone', () => {
    expect(axisLabels(30, 28).map(({ day }) => day)).toEqual([0, 7, 14, 21, 28])
    expect(axisLabels(14, 6)).toEqual([
      { day: 0, wideOnly: false },
      { day: 6, wideOnly: false },
    ])
    expect(axisLabels(30, 3)).toContainEqual({ day: 0, wideOnly: true })
    expect(axisLabels(1, 0)).toEqual([{ day: 0, wideOnly: false }])
  })
})
