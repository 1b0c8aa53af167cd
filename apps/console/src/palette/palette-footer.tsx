import { m } from '@slipway/phrases'
import { Keys } from '../shell/shortcuts/keys.tsx'
import { classNames } from '../ui/class-names.ts'

const hints = [
  { keys: ['Enter'], text: m.palette_open },
  { keys: ['Mod+Enter'], text: m.palette_new_tab },
  { keys: ['Escape'], text: m.palette_close },
]

/** Shows the shortcuts on devices with a keyboard, and `state`: whether the list is complete. */
export const PaletteFooter = ({ state }: { state: string }) => (
  <div
    aria-hidden
    className={classNames(
      'min-h-9 items-center justify-between gap-4 border-t border-line px-4 py-1.5 text-xs text-muted',
      state ? 'flex' : 'hidden sm:pointer-fine:flex',
    )}
  >
    <span>{state}</span>
    <span className="hidden gap-4 sm:pointer-fine:flex">
      {hints.map(({ keys, text }) => (
        <span key={keys[0]} className="flex items-center gap-1.5">
          <Keys keys={keys} />
          {text()}
        </span>
      ))}
    </span>
  </div>
)
