import { createHash } from 'node:crypto'
import { limits } from '@slipway/contract/limits'
import { describe, expect, it } from 'vitest'
import { type CaptchaSolver, searchCaptcha, splitRange } from './captcha-search.ts'
import { startThread } from './captcha-thread.fixture.ts'

const salt = '00112233445566778899aabb?expires=1800000000'
const challengeFor = (number: number) => ({
  salt,
  challenge: createHash('sha256').update(`${salt}${number}`).digest('base64'),
})
const unsolvable = challengeFor(limits.captchaMaxNumber + 1)
const threads = (count: number) => Array.from({ length: count }, startThread)
const allEnded = (started: ReturnType<typeof threads>) =>
  Promise.all(started.map((thread) => thread.ended))

describe('searchCaptcha', () => {
  it.each([
    [0, 1],
    [50_000, 1],
    [24_999, 2],
    [25_001, 2],
    [12_501, 4],
    [50_000, 4],
  ])('finds %i with %i threads', async (number, count) => {
    expect(await searchCaptcha(challengeFor(number), threads(count))).toBe(number)
  })

  it('returns null when no number solves the challenge', async () => {
    expect(await searchCaptcha(unsolvable, threads(2))).toBe(null)
  })

  it('stops every thread when the number is found', async () => {
    const started = threads(3)
    await searchCaptcha(challengeFor(3), started)
    expect(await allEnded(started)).toHaveLength(3)
  })

  it('does not wait for other threads after one finds the number', async () => {
    const silent: CaptchaSolver = { solve: () => new Promise(() => {}), stop: () => {} }
    expect(await searchCaptcha(challengeFor(50_000), [silent, startThread()])).toBe(50_000)
  })

  it('rejects with the abort reason and stops every thread', async () => {
    const started = threads(2)
    const abort = new AbortController()
    const search = searchCaptcha(unsolvable, started, abort.signal)
    abort.abort(new Error('left the page'))
    await expect(search).rejects.toThrow('left the page')
    expect(await allEnded(started)).toHaveLength(2)
  })

  it('does not start when the signal is already aborted', async () => {
    const started = threads(1)
    const search = searchCaptcha(challengeFor(0), started, AbortSignal.abort(new Error('too late')))
    await expect(search).rejects.toThrow('too late')
    expect(await allEnded(started)).toHaveLength(1)
  })

  it('rejects when all threads fail and stops them', async () => {
    const started = threads(2)
    await expect(searchCaptcha({ salt, challenge: '%' }, started)).rejects.toThrow()
    expect(await allEnded(started)).toHaveLength(2)
  })

  it('finds the number when another thread fails', async () => {
    const failing: CaptchaSolver = {
      solve: () => Promise.reject(new Error('no such file')),
      stop: () => {},
    }
    expect(await searchCaptcha(challengeFor(50_000), [failing, startThread()])).toBe(50_000)
    expect(await searchCaptcha(challengeFor(0), [startThread(), failing])).toBe(0)
  })
})

describe('splitRange', () => {
  it.each([1, 2, 3, 4])('puts each number into exactly one of %i parts', (count) => {
    const parts = splitRange(limits.captchaMaxNumber, count)
    expect(parts).toHaveLength(count)
    expect(parts[0]?.first).toBe(0)
    expect(parts.at(-1)?.last).toBe(limits.captchaMaxNumber)
    for (const [index, part] of parts.slice(1).entries())
      expect(part.first).toBe((parts[index]?.last ?? 0) + 1)
  })

  it('makes parts whose lengths differ by at most one', () => {
    const lengths = splitRange(limits.captchaMaxNumber, 4).map(
      ({ first, last }) => last - first + 1,
    )
    expect(Math.max(...lengths) - Math.min(...lengths)).toBeLessThanOrEqual(1)
  })
})
