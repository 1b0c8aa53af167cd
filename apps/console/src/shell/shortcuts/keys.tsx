import { m } from '@slipway/phrases'
import { Fragment } from 'react'

const isMac = () => /Mac|iPhone|iPad/.test(navigator.platform)

const keyLabels: Record<string, () => string> = {
  Mod: () => (isMac() ? '⌘' : 'Ctrl'),
  Escape: () => 'Esc',
  Enter: () => '↵',
}

/** The labels of a combination's keys: `Mod+k` is Ctrl and K. */
const labelsOf = (combination: string) =>
  combination.split('+').map((key) => keyLabels[key]?.() ?? key.toUpperCase())

/** A combination as a value of `aria-keyshortcuts` (WAI-ARIA 1.2). */
export const ariaKeys = (combination: string) =>
  combination.replace('Mod', isMac() ? 'Meta' : 'Control')

/** A sequence of key combinations, shown as key caps. */
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
