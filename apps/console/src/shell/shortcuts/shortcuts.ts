import { second } from '@slipway/contract/limits'
import { paths } from '../../paths.ts'
import { areas } from '../navigation/areas.ts'

/** What a shortcut does: goes somewhere, or one of the things that a page can be asked for. */
export type ShortcutAction = { to: string } | 'palette' | 'help' | 'search' | 'create' | 'close'

export type Shortcut = {
  /** Pressed one after the other; a key with Ctrl or Command begins with `Mod+`. */
  keys: readonly string[]
  action: ShortcutAction
}

/** The shortcuts, for the handler and for the sheet that lists them. */
export const shortcuts: readonly Shortcut[] = [
  { keys: ['Mod+k'], action: 'palette' },
  { keys: ['/'], action: 'search' },
  { keys: ['c'], action: 'create' },
  ...areas.map(({ key, to }) => ({ keys: ['g', key], action: { to } })),
  { keys: ['g', 'a'], action: { to: paths.profile() } },
  { keys: ['?'], action: 'help' },
  { keys: ['Escape'], action: 'close' },
]

/** What is known of a key that was pressed. */
export type Press = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>

/** How long the second key of two may take. */
const patience = 1.5 * second

/**
 * The key as the table writes it, or null for a combination of which there is none. Which keys make a sign
 * differs from layout to layout (`/` is Shift 7 on a Turkish one), so a sign counts with Shift too.
 */
export function pressedKey({ key, ctrlKey, metaKey, altKey, shiftKey }: Press) {
  if (altKey) return null
  const isLetter = /^[a-z]$/i.test(key)
  if (isLetter && shiftKey) return null
  // Caps lock is no Shift.
  const name = isLetter ? key.toLowerCase() : key
  return ctrlKey || metaKey ? `Mod+${name}` : name
}

/** Reads keys one by one; each answers with the shortcut that it completes, or with null. */
export function createShortcutReader() {
  let first: { key: string; at: number } | null = null

  return {
    read(key: string, now: number): Shortcut | null {
      const before = first && now - first.at <= patience ? [first.key] : []
      first = null
      const pressed = [...before, key]
      const fits = shortcuts.filter(({ keys }) => pressed.every((each, at) => keys[at] === each))
      const shortcut = fits.find(({ keys }) => keys.length === pressed.length) ?? null
      if (!shortcut && fits.length > 0) first = { key, at: now }
      return shortcut
    },
    /** Forgets the first of two keys. */
    reset() {
      first = null
    },
  }
}
