import type { CSSProperties } from 'react'
import { classNames } from '../class-names.ts'

const fadeClass = 'transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0'

export const backdropClass = `fixed inset-0 z-40 bg-[rgb(10_10_15/0.5)] ${fadeClass}`

/** The whole window, with the dialog in its middle, on a phone at its bottom. */
export const viewportClass =
  'fixed inset-0 z-40 flex items-end justify-center sm:items-center sm:p-4'

/**
 * On a phone a dialog is a sheet as wide as the screen. One that is higher than the window scrolls,
 * and the page behind it does not.
 */
export const popupClass = (wide = false) =>
  classNames(
    'w-full overflow-y-auto overscroll-contain rounded-t-lg bg-raised elevated outline-none sm:rounded-md sm:border sm:border-line',
    wide ? 'sm:max-w-2xl' : 'sm:max-w-md',
    fadeClass,
  )

/** Classes for these would add to the style sheet of every page. */
export const popupStyle: CSSProperties = {
  maxHeight: 'calc(100dvh - 2rem)',
  // The title and the buttons cover what is below them.
  scrollPaddingBlock: '5rem',
}

/** The padding is not the popup's: what is sticky in it would keep away from its edges. */
export const contentClass = 'grid gap-4 px-6'

/** `--dialog-end` is the space below the content, where a phone may have a bar of its own. */
export const contentStyle = {
  '--dialog-end': 'max(1.5rem, env(safe-area-inset-bottom))',
  paddingBottom: 'var(--dialog-end)',
} as CSSProperties
