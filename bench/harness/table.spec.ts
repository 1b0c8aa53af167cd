import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { printMeasurements } from './table.ts'

describe('the table of a benchmark', () => {
  const print = (met: boolean | undefined) => {
    vi.spyOn(process.stdout, 'write').mockReturnValue(true)
    const { exitCode } = process
    onTestFinished(() => {
      vi.restoreAllMocks()
      process.exitCode = exitCode
    })
    printMeasurements([
      { measure: 'a', value: '1', met: true },
      { measure: 'b', value: '2', ...(met === undefined ? {} : { met }) },
    ])
    return process.exitCode
  }

  it('fails the run if a budget is not met', () => {
    expect(print(false)).toBe(1)
  })

  it('does not fail a run that meets its budgets, or has none', () => {
    expect(print(true)).not.toBe(1)
    expect(print(undefined)).not.toBe(1)
  })
})
