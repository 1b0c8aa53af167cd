import type { ComponentType } from 'react'
import type { ScreenQueries } from '../api/prefetch.ts'
import type { LayoutName } from '../screens/screen-facts.ts'

/** What screens are rendered in. */
export type Layout = {
  /** The layout that this one is rendered in. */
  parent?: LayoutName
  page: () => Promise<{ Page: ComponentType }>
  /** What it queries first. */
  queries?: ScreenQueries
}
