import { m } from '@slipway/phrases'
import { Fragment } from 'react'

/** Whether this computer's keys are a Mac's. */
const isMac = () => /Mac|iPhone|iPad/.test(navigator.platform)

const names: Record<string, () => string> = {
  Mod: () => (isMac() ? '⌘' : 'Ctrl'),
  Escape: () => 'Esc',
  Enter: () => '↵',
}

/** The keys of a combination as they are written on them: `Mod+k` is Ctrl and K. */
const labelsOf = (combination: string) =>
  combination.split('+').map((key) => names[key]?.() ?? key.toUpperCase())

/** A combination in one word, for the attribute that tells assistive technology (WAI-ARIA 1.2). */
export const ariaKeys = (combination: string) =>
  combination.replace('Mod', isMac() ? 'Meta' : 'Control')

/** Keys to press one after the other, as they look. */
export const Keys = ({ keys }: { keys: readonly string[] }) => (
  <span className="inline-flex items-center gap-1 whitespace-nowrap">
    {keys.map((combination, index) => (
      <Fragment key={combination}>
        {index > 0 && <span className="text-xs text-muted">{m.shortcuts_then()}</span>}
        {labelsOf(combination).map((label) => (
          <kbd
            key={label}
            className="inline-flex h-5 min-w-5 items-center justify-center rounded-md border border-line bg-canvas px-1 font-sans text-xs text-muted"
          >
            {label}
          </kbd>
        ))}
      </Fragment>
    ))}
  </span>
)
