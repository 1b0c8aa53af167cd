import type { ComponentType } from 'react'
import type { ScreenQueries } from '../api/prefetch.ts'
import type { LayoutName } from '../screens/screen-facts.ts'

export type Layout = {
  /** The layout that this one is rendered in. */
  parent?: LayoutName
  page: () => Promise<{ Page: ComponentType }>
  /** The first queries of the layout, requested together with the queries of its screen. */
  queries?: ScreenQueries
}
