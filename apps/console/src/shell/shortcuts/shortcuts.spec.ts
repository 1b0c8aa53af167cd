import { describe, expect, it } from 'vitest'
import { paths } from '../../paths.ts'
import { createShortcutReader, pressedKey } from './shortcuts.ts'

const press = (key: string, held: Partial<Record<'ctrl' | 'meta' | 'alt' | 'shift', true>> = {}) =>
  pressedKey({
    key,
    ctrlKey: held.ctrl ?? false,
    metaKey: held.meta ?? false,
    altKey: held.alt ?? false,
    shiftKey: held.shift ?? false,
  })

const actionOf = (keys: [key: string, at: number][]) => {
  const reader = createShortcutReader()
  return keys.map(([key, at]) => reader.read(key, at)?.action ?? null)
}

describe('pressedKey', () => {
  it('takes Ctrl for Command', () => {
    expect(press('k', { ctrl: true })).toBe('Mod+k')
    expect(press('k', { meta: true })).toBe('Mod+k')
  })

  it('takes a letter in caps lock for the letter, and one with Shift for none', () => {
    expect(press('C')).toBe('c')
    expect(press('C', { shift: true })).toBeNull()
  })

  it('takes a sign as it is, whichever keys make it', () => {
    expect(press('/', { shift: true })).toBe('/')
    expect(press('?', { shift: true })).toBe('?')
  })

  it('knows nothing with Alt', () => {
    expect(press('c', { alt: true })).toBeNull()
    expect(press('/', { alt: true, ctrl: true })).toBeNull()
  })
})

describe('createShortcutReader', () => {
  it('answers one key at once', () => {
    expect(actionOf([['?', 0]])).toEqual(['help'])
    expect(actionOf([['Mod+k', 0]])).toEqual(['palette'])
  })

  it('answers two keys, one after the other', () => {
    expect(
      actionOf([
        ['g', 0],
        ['t', 1000],
      ]),
    ).toEqual([null, { to: paths.teams() }])
  })

  it('forgets the first of two keys after a while', () => {
    expect(
      actionOf([
        ['g', 0],
        ['c', 1600],
      ]),
    ).toEqual([null, 'create'])
  })

  it('takes a key that does not fit the first one for none', () => {
    expect(
      actionOf([
        ['g', 0],
        ['c', 100],
        ['c', 200],
      ]),
    ).toEqual([null, null, 'create'])
  })

  it('forgets the first of two keys when told to', () => {
    const reader = createShortcutReader()
    reader.read('g', 0)
    reader.reset()
    expect(reader.read('t', 100)).toBeNull()
  })
})
