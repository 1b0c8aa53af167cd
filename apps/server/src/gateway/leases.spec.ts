import { describe, expect, it, onTestFinished } from 'vitest'
import { createLogBook } from '../testing/log-book.ts'
import { createLeases, type WakeResult } from './leases.ts'

describe('the leases of sites', () => {
  it('wakes a site while requests to others that do not wake take all places', async () => {
    const wakes: string[] = []
    const ends: (() => void)[] = []
    const wake = ({ key }: { key: string }) => {
      wakes.push(key)
      if (key === 'shop') return Promise.resolve<WakeResult>('awake')
      return new Promise<WakeResult>((resolve) => ends.push(() => resolve('not_running')))
    }
    const options = { wake, leaseMs: 60_000, maxWaitingPerSite: 10, maxWaiting: 20 }
    const leases = createLeases(options, createLogBook().log)
    onTestFinished(() => leases.close())
    const enter = (key: string) => leases.enter({ key, cluster: 'local' })
    const waiting = ['a', 'b'].flatMap((key) =>
      Array.from({ length: 10 }, () => leases.waitUntilAwake(enter(key))),
    )
    const shop = enter('shop')
    expect(await leases.waitUntilAwake(shop)).toBe('overloaded')
    expect(await leases.waitUntilAwake(enter('a'))).toBe('overloaded')
    expect(leases.isValid(shop)).toBe(true)
    expect(wakes).toEqual(['a', 'b', 'shop'])
    for (const end of ends) end()
    expect(new Set(await Promise.all(waiting))).toEqual(new Set(['not_running']))
  })
})
