import { beforeEach, describe, expect, it, vi } from 'vitest'
import { skeletonRows, storeLength } from './list-lengths.ts'

describe('the skeleton of a list', () => {
  beforeEach(() => {
    const items = new Map<string, string>()
    vi.stubGlobal('localStorage', {
      getItem: (key: string) => items.get(key) ?? null,
      setItem: (key: string, value: string) => items.set(key, value),
    })
  })

  it('has as many rows as the list last had, but no more than a window shows', () => {
    storeLength('teams', 4)
    storeLength('projects', 40)
    expect(skeletonRows('teams')).toBe(4)
    expect(skeletonRows('projects')).toBe(10)
  })

  it('has three rows, or as many as its caller expects, before the list was shown', () => {
    expect(skeletonRows('teams')).toBe(3)
    expect(skeletonRows('teams', 5)).toBe(5)
  })
})
