import type { ComponentType } from 'react'
import type { ScreenQueries } from '../api/prefetch.ts'
import type { ScreenFacts } from './screen-facts.ts'

/** The screen's entry in the command palette: a page, or an action that opens one. */
export type PaletteEntry = {
  kind: 'page' | 'action'
  /** Its position among the entries of its kind. */
  position: number
}

/**
 * A screen. The router, prefetching, the palette, the requests before the bundle has loaded, and
 * the lists of the browser tests and benchmarks are derived from the screens (`all-screens.ts`).
 */
export type Screen<Pattern extends string = string> = ScreenFacts<Pattern> & {
  page: () => Promise<{ Page: ComponentType }>
  /** The first queries, requested before the bundle has loaded or while the page's chunk loads. */
  queries?: ScreenQueries<Pattern>
  palette?: PaletteEntry
}

/** Declares a screen in `<name>.screen.ts`, beside its `<name>.page.tsx`. */
/* @__NO_SIDE_EFFECTS__ */
export const defineScreen = <Pattern extends string>(screen: Screen<Pattern>) =>
  // Safe, because a screen's queries are called only with the parameters of its own path.
  screen as unknown as Screen
