import { useRouter } from '@tanstack/react-router'
import { useLayoutEffect } from 'react'
import { focusSearch } from '../lists/page-search.ts'
import { areaOf } from '../navigation/areas.ts'
import { closeOverlay, currentOverlay, openOverlay } from './open-overlay.ts'
import {
  createShortcutReader,
  pressedKey,
  type Shortcut,
  type ShortcutAction,
} from './shortcuts.ts'
import { areSingleKeysOn } from './single-keys.ts'

/** Where a key is text, or has a meaning of its own. */
const ownKeys =
  'input, textarea, select, [contenteditable=""], [contenteditable="true"], [role="menu"], [role="listbox"]'

const hasOwnKeys = (target: EventTarget | null) =>
  target instanceof Element && target.closest(ownKeys) !== null

/** A dialog, which wants an answer first; the overlays are dialogs, too. */
const hasDialog = () => document.querySelector('[role$="dialog"]') !== null

/** Whether this key, pressed here and now, may be a shortcut at all. */
function mayBeShortcut(event: KeyboardEvent, key: string) {
  if (key.startsWith('Mod+')) return currentOverlay() === 'palette' || !hasDialog()
  return areSingleKeysOn() && !hasOwnKeys(event.target) && !hasDialog()
}

type Router = ReturnType<typeof useRouter>

function act(action: ShortcutAction, router: Router) {
  if (typeof action === 'object') return void router.navigate({ to: action.to })
  switch (action) {
    case 'palette':
      return currentOverlay() === 'palette' ? closeOverlay() : openOverlay('palette')
    case 'help':
      return openOverlay('shortcuts')
    case 'search':
      // Where the page has nothing to search, everything is searched.
      return focusSearch() || openOverlay('palette')
    case 'create': {
      const create = areaOf(router.latestLocation.pathname)?.create
      return create && void router.navigate({ to: create })
    }
    case 'close':
      // Each of them hears that key itself.
      return
  }
}

/** The browser is not to do what it does with the key: Firefox searches the page at `/`. */
const isOurs = ({ action }: Shortcut) => action !== 'close'

/** Listens to the keys that `shortcuts` names, on the pages of whoever is signed in. */
export function useShortcuts() {
  const router = useRouter()
  // Not a moment after the page shows: what is pressed then is meant for it.
  useLayoutEffect(() => {
    const reader = createShortcutReader()
    function onKeyDown(event: KeyboardEvent) {
      // What the page has used, what makes up a letter, and a key that is held down.
      if (event.defaultPrevented || event.isComposing || event.repeat) return
      // Shift alone is on the way to a sign.
      if (['Shift', 'Control', 'Meta', 'Alt', 'AltGraph'].includes(event.key)) return
      const key = pressedKey(event)
      if (key === null || !mayBeShortcut(event, key)) return reader.reset()
      const shortcut = reader.read(key, event.timeStamp)
      if (!shortcut) return
      if (isOurs(shortcut)) event.preventDefault()
      act(shortcut.action, router)
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [router])
}
