import type { ProjectKey } from '@slipway/contract/projects'
import { describe, expect, test } from 'vitest'
import { highestCostFirst } from './highest-cost-first.ts'

const item = (projectKey: string, totalAmount: string) =>
  ({ projectKey: projectKey as ProjectKey, totalAmount }) as Parameters<
    typeof highestCostFirst
  >[0][number]

describe('the items of the active invoice', () => {
  test('begin with the project that costs most, and those of a project adjoin', () => {
    const items = [
      item('cheap', '9.00000'),
      item('two prices', '0.50000'),
      item('free', '0.00000'),
      item('two prices', '10.00000'),
    ]
    expect(highestCostFirst(items).map(({ totalAmount }) => totalAmount)).toEqual([
      '0.50000',
      '10.00000',
      '9.00000',
      '0.00000',
    ])
  })
})
