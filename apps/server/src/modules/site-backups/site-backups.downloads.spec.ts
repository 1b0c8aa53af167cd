import { once } from 'node:events'
import { Readable } from 'node:stream'
import { minute } from '@slipway/contract/limits'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createSlots, endWhenSlow } from './site-backups.downloads.ts'

describe('the slots of downloads', () => {
  it('are two of a user, while other users have some, too', () => {
    const acquire = createSlots()
    const [release] = [acquire('slow'), acquire('slow')]
    expect(() => acquire('slow')).toThrow('too_many_requests')
    acquire('other')
    release?.()
    acquire('slow')
    expect(() => acquire('slow')).toThrow('too_many_requests')
  })

  it('are eight of all users', () => {
    const acquire = createSlots()
    const [release] = Array.from({ length: 8 }, (_, index) => acquire(`user ${index}`))
    expect(() => acquire('another')).toThrow('too_many_requests')
    release?.()
    acquire('another')
  })
})

describe('a download', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
  afterEach(() => void vi.useRealTimers())

  const chunk = Buffer.alloc(64 * 1024)
  const endless = () =>
    new Readable({
      read() {
        this.push(chunk)
      },
    })

  const closeOf = (stream: Readable) =>
    new Promise<void>((resolve) => stream.once('close', () => resolve()))

  /** Reads this many bytes. */
  async function read(stream: Readable, size: number) {
    for (let bytes = 0; bytes < size; ) {
      const part: Buffer | null = stream.read()
      if (part) bytes += part.length
      else await once(stream, 'readable')
    }
  }

  it('ends when less than 256 KB are read in a minute', async () => {
    const content = endless()
    const stream = endWhenSlow(content)
    await read(stream, chunk.length)
    const closed = closeOf(content)
    const failed = once(stream, 'error')
    vi.advanceTimersByTime(minute)
    expect(String((await failed)[0])).toContain('too slowly')
    await closed
  })

  it('continues while more is read, for as long as it takes', async () => {
    const stream = endWhenSlow(endless())
    for (let minutes = 0; minutes < 100; minutes++) {
      await read(stream, 12 * chunk.length)
      vi.advanceTimersByTime(minute - 1)
    }
    expect(stream.destroyed).toBe(false)
    stream.destroy()
  })

  it('closes its content when the client disconnects', async () => {
    const content = endless()
    const stream = endWhenSlow(content)
    await read(stream, chunk.length)
    const closed = closeOf(content)
    stream.destroy()
    await closed
    expect(vi.getTimerCount()).toBe(0)
  })
})
