import { describe, expect, it } from 'vitest'
import { createVisitors, elementOf } from './traffic.visitors.ts'

const visitorsOf = (addresses: readonly string[], salt = 'salt') => {
  const visitors = createVisitors()
  for (const address of addresses) visitors.add(elementOf(salt, 'site', address, 'Firefox'))
  return visitors
}

const addresses = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => `address ${from + index}`)

describe('a set of visitors', () => {
  it.each([0, 1, 2, 10, 100, 1_000, 10_000, 100_000])('counts %i within 5 %%', (count) => {
    const counted = visitorsOf(addresses(count)).count()
    expect(Math.abs(counted - count)).toBeLessThanOrEqual(count * 0.05)
  })

  it('counts a visitor once, however many requests there are', () => {
    expect(visitorsOf([...addresses(50), ...addresses(50)]).count()).toBe(
      visitorsOf(addresses(50)).count(),
    )
  })

  it('is the same when it is added up from the sets of two gateways', () => {
    const sum = createVisitors()
    for (const half of [addresses(700), addresses(700, 300)])
      for (const element of visitorsOf(half).elements()) sum.add(element)
    expect(sum.count()).toBe(visitorsOf(addresses(1000)).count())
  })

  it('has nothing in common with that of another day or project', () => {
    const element = (salt: string, key: string) => elementOf(salt, key, '192.0.2.1', 'Firefox')
    expect(element('Monday', 'site')).not.toBe(element('Tuesday', 'site'))
    expect(element('Monday', 'site')).not.toBe(element('Monday', 'other'))
  })
})
