import type { Locale } from '@slipway/phrases'

export type Text = (inputs?: object, options?: { locale?: Locale }) => string

export type LayoutName = 'auth' | 'text' | 'app' | 'teams' | 'project'
export type AreaName = 'auth' | 'legal' | 'projects' | 'teams' | 'support' | 'billing' | 'account'

/**
 * The part of a screen without browser types, for the lists of the browser tests and benchmarks.
 */
export type ScreenFacts<Pattern extends string = string> = {
  /** The `pattern` of its link in `paths.ts`. */
  path: Pattern
  area: AreaName
  /** The layout that it is rendered in. */
  layout: LayoutName
  /** Only users who have not verified their address see it. */
  isForUnverified?: boolean
  /** The heading and the tab's name; on a resource's page, until the resource has loaded. */
  title: Text
  /** The path of the screen above it in the breadcrumbs and in the tab's name. */
  parent?: string
}

/** Whether a layout is for signed-in users. Screens of other layouts have no query client. */
export const needsSession = (layout: LayoutName) => layout !== 'auth' && layout !== 'text'
