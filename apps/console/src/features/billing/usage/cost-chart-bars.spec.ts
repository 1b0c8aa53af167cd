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

  test('is labeled between the first and the last day', () => {
    expect(axisLabels(30, 14)).toEqual([
      { day: 0, anchor: 'start' },
      { day: 14, anchor: 'middle' },
      { day: 29, anchor: 'end' },
    ])
  })

  test('shortens the label of a close first or last day, and hides it on a phone where both touch', () => {
    expect(axisLabels(30, 5)).toEqual([
      { day: 0, anchor: 'start', short: true },
      { day: 5, anchor: 'middle' },
      { day: 29, anchor: 'end' },
    ])
    expect(axisLabels(30, 24)).toEqual([
      { day: 0, anchor: 'start' },
      { day: 24, anchor: 'middle' },
      { day: 29, anchor: 'end', short: true },
    ])
    expect(axisLabels(30, 27)).toEqual([
      { day: 0, anchor: 'start' },
      { day: 27, anchor: 'middle' },
      { day: 29, anchor: 'end', short: true, wideOnly: true },
    ])
  })

  test('has the label of today below its bar, as far as the edge permits', () => {
    expect(axisLabels(30, 26)).toContainEqual({ day: 26, anchor: 'middle' })
    expect(axisLabels(30, 27)).toContainEqual({ day: 27, anchor: 'middle' })
    expect(axisLabels(30, 28)).toContainEqual({ day: 28, anchor: 'end' })
  })

  test('replaces the label of a neighbor that is too close', () => {
    expect(axisLabels(30, 1)).toEqual([
      { day: 1, anchor: 'start' },
      { day: 29, anchor: 'end' },
    ])
    expect(axisLabels(30, 28)).toEqual([
      { day: 0, anchor: 'start' },
      { day: 28, anchor: 'end' },
    ])
    expect(axisLabels(30, 29)).toEqual([
      { day: 0, anchor: 'start' },
      { day: 29, anchor: 'end' },
    ])
    expect(axisLabels(30, 0)).toEqual([
      { day: 0, anchor: 'start' },
      { day: 29, anchor: 'end' },
    ])
    expect(axisLabels(1, 0)).toEqual([{ day: 0, anchor: 'middle' }])
  })
})
