import { describe, expect, it } from 'vitest'
import { newId } from './ids.ts'

describe('the ids of a process', () => {
  it('sort by creation, also those of one millisecond', () => {
    const ids = Array.from({ length: 20_000 }, () => newId())
    expect(ids.toSorted()).toEqual(ids)
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('are UUIDs of version 7 with the time of their creation', () => {
    const before = Date.now()
    const id = newId()
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(Number.parseInt(id.replace('-', '').slice(0, 12), 16)).toBeGreaterThanOrEqual(before)
  })
})
