import { describe, expect, it } from 'vitest'
import { createLimiter } from './limiter.ts'

describe('createLimiter', () => {
  it('runs a limited number at once and continues after a failure', async () => {
    const limiter = createLimiter(2)
    let running = 0
    let most = 0
    const task = (fails: boolean) => async () => {
      running += 1
      most = Math.max(most, running)
      await new Promise(setImmediate)
      running -= 1
      if (fails) throw new Error('failed')
      return 'done'
    }
    const all = [true, false, true, false, false].map((fails) => limiter.run(task(fails)))
    const outcomes = (await Promise.allSettled(all)).map(({ status }) => status)
    expect(outcomes).toEqual(['rejected', 'fulfilled', 'rejected', 'fulfilled', 'fulfilled'])
    expect(most).toBe(2)
    await expect(limiter.run(task(false))).resolves.toBe('done')
  })

  it('the caller that has waited longest gets a released slot', async () => {
    const limiter = createLimiter(1)
    const release = await limiter.acquire()
    const order: string[] = []
    const waiting = ['first', 'second'].map(async (name) => {
      const release = await limiter.acquire()
      order.push(name)
      release()
    })
    await new Promise(setImmediate)
    expect(order).toEqual([])
    release()
    await Promise.all(waiting)
    expect(order).toEqual(['first', 'second'])
  })

  it('an urgent caller gets a slot before those that wait longer', async () => {
    const limiter = createLimiter(1)
    const release = await limiter.acquire()
    const order: string[] = []
    const waiting = [false, true, false, true].map(async (urgent, index) => {
      const release = await limiter.acquire({ urgent })
      order.push(`${urgent ? 'urgent' : 'other'} ${index}`)
      release()
    })
    release()
    await Promise.all(waiting)
    expect(order).toEqual(['urgent 1', 'urgent 3', 'other 0', 'other 2'])
  })

  it('a caller whose signal aborts waits no longer, and takes no slot', async () => {
    const limiter = createLimiter(1)
    const release = await limiter.acquire()
    const canceled = new AbortController()
    const first = limiter.run(async () => 'first', canceled.signal)
    const second = limiter.run(async () => 'second')
    canceled.abort(new Error('canceled'))
    await expect(first).rejects.toThrow('canceled')
    release()
    await expect(second).resolves.toBe('second')
    await expect(limiter.run(async () => 'third', canceled.signal)).rejects.toThrow('canceled')
    await expect(limiter.run(async () => 'fourth')).resolves.toBe('fourth')
  })
})
