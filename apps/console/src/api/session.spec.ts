import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { sessionToken } from './session.ts'

const stored = new Map<string, string>()

beforeEach(() => {
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    removeItem: (key: string) => stored.delete(key),
  })
})
afterEach(() => {
  stored.clear()
  vi.unstubAllGlobals()
})

describe('sessionToken', () => {
  it('returns the stored token', () => {
    stored.set('token', 'aZ09-_.~+/=')
    expect(sessionToken()).toBe('aZ09-_.~+/=')
  })

  it.each(['', 'ğ', 'a\nb', 'a b'])('deletes %j, which no header can carry', (token) => {
    stored.set('token', token)
    expect(sessionToken()).toBeNull()
    expect(stored.has('token')).toBe(false)
  })
})
