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
import { areSingleKeyShortcutsEnabled } from './single-keys.ts'

/** Elements that use keys themselves, for text or navigation. */
const keyConsumers =
  'input, textarea, select, [contenteditable=""], [contenteditable="true"], [role="menu"], [role="listbox"]'

const consumesKeys = (target: EventTarget | null) =>
  target instanceof Element && target.closest(keyConsumers) !== null

/** True while a dialog is open; the overlays are dialogs too. */
const hasDialog = () => document.querySelector('[role$="dialog"]') !== null

/** True if the key may be a shortcut in the current state of the page. */
function mayBeShortcut(event: KeyboardEvent, key: string) {
  if (key.startsWith('Mod+')) return currentOverlay() === 'palette' || !hasDialog()
  return areSingleKeyShortcutsEnabled() && !consumesKeys(event.target) && !hasDialog()
}

type Router = ReturnType<typeof useRouter>

function runAction(action: ShortcutAction, router: Router) {
  if (typeof action === 'object') return void router.navigate({ to: action.to })
  switch (action) {
    case 'palette':
      return currentOverlay() === 'palette' ? closeOverlay() : openOverlay('palette')
    case 'help':
      return openOverlay('shortcuts')
    case 'search':
      // A page without a search opens the palette, which searches everything.
      return focusSearch() || openOverlay('palette')
    case 'create': {
      const create = areaOf(router.latestLocation.pathname)?.create
      return create && void router.navigate({ to: create })
    }
    case 'close':
      // Overlays handle Escape themselves.
      return
  }
}

/** True if the browser's own action must not run, such as Firefox's quick find on `/`. */
const preventsDefault = ({ action }: Shortcut) => action !== 'close'

export function useShortcuts() {
  const router = useRouter()
  // A layout effect, so that the handler exists before the page is painted.
  useLayoutEffect(() => {
    const reader = createShortcutReader()
    function onKeyDown(event: KeyboardEvent) {
      if (event.defaultPrevented || event.isComposing || event.repeat) return
      // A modifier alone does not interrupt a sequence.
      if (['Shift', 'Control', 'Meta', 'Alt', 'AltGraph'].includes(event.key)) return
      const key = pressedKey(event)
      if (key === null || !mayBeShortcut(event, key)) return reader.reset()
      const shortcut = reader.read(key, event.timeStamp)
      if (!shortcut) return
      if (preventsDefault(shortcut)) event.preventDefault()
      runAction(shortcut.action, router)
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [router])
}
