import { requestPath } from '@slipway/contract/client'
import type { ScreenQueries } from './api/prefetch.ts'
import * as queries from './api/queries.ts'
import { requestOf } from './api/request-query.ts'
import { layoutNamesFrom, layouts } from './layouts/all-layouts.ts'
import type { Screen } from './screens/screen.ts'

/** Replaces the parameter of the screen's path. URLs do not escape this character. */
export const paramPlaceholder = '*'

/**
 * The API paths that a screen requests first, at a URL without a query string. The page prefetches
 * them before the bundle has loaded (`inline/load-bundle.ts`).
 */
export function prefetchPathsOf(screen: Screen) {
  const names = (screen.path.match(/\$\w+/g) ?? []).map((name) => name.slice(1))
  const params = Object.fromEntries(names.map((name) => [name, paramPlaceholder]))
  const pathsOf = (screenQueries: ScreenQueries | undefined) =>
    (screenQueries?.(queries, { params, search: {} }) ?? []).map((query) => {
      const { endpoint, input } = requestOf(query)
      return requestPath(endpoint, input)
    })
  const layoutsAndScreen = [...layoutNamesFrom(screen.layout).map((name) => layouts[name]), screen]
  return [...new Set(layoutsAndScreen.flatMap((each) => pathsOf(each.queries)))]
}
