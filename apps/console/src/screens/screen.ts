import type { ComponentType } from 'react'
import type { ScreenQueries } from '../api/prefetch.ts'
import type { ScreenFacts, Text } from './screen-facts.ts'

/** A page of the command palette, or an action that opens one. */
export type PaletteEntry = {
  kind: 'page' | 'action'
  /** Its position among those of its kind. */
  position: number
  icon: ComponentType<{ className?: string; 'aria-hidden'?: boolean }>
  /** Other words that find it. */
  words?: Text
}

/** How the build renders a screen into HTML (docs/decisions/0019). */
export type Prerendering = {
  /** For search engines and link previews. */
  description: Text
  /** Who gets the HTML, where that is not everybody. */
  session?: 'guest' | 'user'
  /** The query string of the address that is rendered. */
  search?: string
  /**
   * A regular expression for the query string and, after a `#`, the history's state. The HTML is shown
   * where it matches.
   */
  condition?: string
  /** A text of that address that varies: the HTML has `…` in its place, and React renders it again. */
  placeholder?: string
}

/**
 * A screen. The router, prefetching, the palette, the prerendered pages, the requests before the bundle
 * has loaded, and the lists of the browser tests and benchmarks are made from these (`all-screens.ts`).
 */
export type Screen<Pattern extends string = string> = ScreenFacts<Pattern> & {
  page: () => Promise<{ Page: ComponentType }>
  /** What it queries first: requested before the bundle has loaded, or while its chunk loads. */
  queries?: ScreenQueries<Pattern>
  palette?: PaletteEntry
  prerender?: Prerendering
}

/** Declares the screen of a `<name>.screen.ts`, which stands beside its `<name>.page.tsx`. */
/* @__NO_SIDE_EFFECTS__ */
export const defineScreen = <Pattern extends string>(screen: Screen<Pattern>) =>
  // Its queries are called with the parameters of its own path alone.
  screen as unknown as Screen
