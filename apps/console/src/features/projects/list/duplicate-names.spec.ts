import { describe, expect, it } from 'vitest'
import { idsWithDuplicateName } from './duplicate-names.ts'

const named = (...names: string[]) =>
  names.map((name, place) => ({ id: `id-${place}` as never, key: `key-${place}` as never, name }))

describe('namesakes', () => {
  it('are the projects that share a name, however often', () => {
    const found = idsWithDuplicateName(named('Shop', 'Museum', 'Shop', 'Garden', 'Shop'))
    expect([...found]).toEqual(['id-0', 'id-2', 'id-4'])
  })

  it('are those, too, whose names look alike', () => {
    expect(idsWithDuplicateName(named('My Shop', 'my  shop', '\uff2dy Shop')).size).toBe(3)
  })

  it('are none where all names differ, also among those that show nothing', () => {
    expect(idsWithDuplicateName(named('Shop', 'Shop 2', '\u3164', '\u200b')).size).toBe(0)
  })
})
