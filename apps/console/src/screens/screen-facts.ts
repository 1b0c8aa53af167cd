import type { Locale } from '@slipway/phrases'

export type Text = (inputs?: object, options?: { locale?: Locale }) => string

export type LayoutName = 'auth' | 'text' | 'app' | 'teams'
export type AreaName = 'auth' | 'legal' | 'projects' | 'teams' | 'support' | 'billing' | 'account'

/** The part of a screen that has no types of the browser: the lists of tests and benchmarks use it. */
export type ScreenFacts<Pattern extends string = string> = {
  /** In the router's form: the `pattern` of its link in `paths.ts`. */
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

/** Whether a layout is for signed-in users. Screens of other layouts go without the query client. */
export const needsSession = (layout: LayoutName) => layout === 'app' || layout === 'teams'
