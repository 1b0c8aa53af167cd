import { describe, expect, it } from 'vitest'
import { idsWithDuplicateName } from './duplicate-names.ts'

const named = (...names: string[]) =>
  names.map((name, index) => ({ id: `id-${index}` as never, key: `key-${index}` as never, name }))

describe('idsWithDuplicateName', () => {
  it('contains all projects that share a name', () => {
    const found = idsWithDuplicateName(named('Shop', 'Museum', 'Shop', 'Garden', 'Shop'))
    expect([...found]).toEqual(['id-0', 'id-2', 'id-4'])
  })

  it('contains projects whose names look alike', () => {
    expect(idsWithDuplicateName(named('My Shop', 'my  shop', '\uff2dy Shop')).size).toBe(3)
  })

  it('is empty if all names differ, including invisible ones', () => {
    expect(idsWithDuplicateName(named('Shop', 'Shop 2', '\u3164', '\u200b')).size).toBe(0)
  })
})
