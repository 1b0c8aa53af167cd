import { second } from '@slipway/contract/limits'
import { paths } from '../../paths.ts'
import { areas } from '../navigation/areas.ts'

/** A shortcut navigates or runs a named action. */
export type ShortcutAction = { to: string } | 'palette' | 'help' | 'search' | 'create' | 'close'

export type Shortcut = {
  /** Pressed one after the other; `Mod+` stands for Ctrl or Command. */
  keys: readonly string[]
  action: ShortcutAction
}

export const shortcuts: readonly Shortcut[] = [
  { keys: ['Mod+k'], action: 'palette' },
  { keys: ['/'], action: 'search' },
  { keys: ['c'], action: 'create' },
  ...areas.map(({ key, to }) => ({ keys: ['g', key], action: { to } })),
  { keys: ['g', 'a'], action: { to: paths.profile() } },
  { keys: ['?'], action: 'help' },
  { keys: ['Escape'], action: 'close' },
]

export type Press = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>

/** The second key of a sequence must follow within this time. */
const sequenceTimeout = 1.5 * second

/**
 * The pressed key in the notation of `shortcuts`; null with Alt, and for a letter with Shift. Other
 * characters may need Shift: `/` is Shift 7 on a Turkish keyboard.
 */
export function pressedKey({ key, ctrlKey, metaKey, altKey, shiftKey }: Press) {
  if (altKey) return null
  const isLetter = /^[a-z]$/i.test(key)
  if (isLetter && shiftKey) return null
  // Caps lock makes capitals without Shift.
  const name = isLetter ? key.toLowerCase() : key
  return ctrlKey || metaKey ? `Mod+${name}` : name
}

/** Reads keys one by one; `read` returns the shortcut that a key completes, or null. */
export function createShortcutReader() {
  let firstKey: { key: string; time: number } | null = null

  return {
    read(key: string, now: number): Shortcut | null {
      const isInTime = firstKey !== null && now - firstKey.time <= sequenceTimeout
      const pressed = isInTime && firstKey ? [firstKey.key, key] : [key]
      firstKey = null
      const candidates = shortcuts.filter(({ keys }) =>
        pressed.every((pressedKey, index) => keys[index] === pressedKey),
      )
      const shortcut = candidates.find(({ keys }) => keys.length === pressed.length) ?? null
      if (!shortcut && candidates.length > 0) firstKey = { key, time: now }
      return shortcut
    },
    /** Discards the first key of a sequence. */
    reset() {
      firstKey = null
    },
  }
}
