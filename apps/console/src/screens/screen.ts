import type { ComponentType } from 'react'
import type { ScreenQueries } from '../api/prefetch.ts'
import type { ScreenFacts, Text } from './screen-facts.ts'

/** The screen's entry in the command palette: a page, or an action that opens one. */
export type PaletteEntry = {
  kind: 'page' | 'action'
  /** Its position among those of its kind. */
  position: number
  icon: ComponentType<{ className?: string; 'aria-hidden'?: boolean }>
  /** Further search words. */
  words?: Text
}

/** How the build renders a screen into HTML (docs/decisions/0019). */
export type Prerendering = {
  /** For search engines and link previews. */
  description: Text
  /** Limits the HTML to guests or to signed-in users. */
  session?: 'guest' | 'user'
  /** The query string of the rendered URL. */
  search?: string
  /**
   * A regular expression for the query string and, after a `#`, the history's state. The HTML is
   * shown if it matches.
   */
  condition?: string
  /** A text that depends on the URL. The HTML has `…` in its place, and React renders it again. */
  placeholder?: string
}

/**
 * A screen. The router, prefetching, the palette, the prerendered pages, the requests before the
 * bundle has loaded, and the lists of the browser tests and benchmarks are made from these
 * (`all-screens.ts`).
 */
export type Screen<Pattern extends string = string> = ScreenFacts<Pattern> & {
  page: () => Promise<{ Page: ComponentType }>
  /** Its first queries, requested before the bundle has loaded or while its chunk loads. */
  queries?: ScreenQueries<Pattern>
  palette?: PaletteEntry
  prerender?: Prerendering
}

/** Declares a screen in `<name>.screen.ts`, beside its `<name>.page.tsx`. */
/* @__NO_SIDE_EFFECTS__ */
export const defineScreen = <Pattern extends string>(screen: Screen<Pattern>) =>
  // Safe, because a screen's queries are called only with the parameters of its own path.
  screen as unknown as Screen
