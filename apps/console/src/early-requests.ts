import { requestPath } from '@slipway/contract/client'
import type { ScreenQueries } from './api/prefetch.ts'
import * as queries from './api/queries.ts'
import { requestOf } from './api/request-query.ts'
import { layoutNamesFrom, layouts } from './layouts/all-layouts.ts'
import type { Screen } from './screens/screen.ts'

/** Replaces the parameter of the screen's path. URLs do not escape this character. */
export const paramPlaceholder = '*'

/**
 * The paths, below the API's base, of the first requests of a screen at a URL without a query
 * string. The page sends them before the bundle has loaded (`inline/load-bundle.ts`).
 */
export function earlyRequestsOf(screen: Screen) {
  const names = (screen.path.match(/\$\w+/g) ?? []).map((name) => name.slice(1))
  const params = Object.fromEntries(names.map((name) => [name, paramPlaceholder]))
  const pathsOf = (screenQueries: ScreenQueries | undefined) =>
    (screenQueries?.(queries, { params, search: {} }) ?? []).map((query) => {
      const { endpoint, input } = requestOf(query)
      return requestPath(endpoint, input)
    })
  const all = [...layoutNamesFrom(screen.layout).map((name) => layouts[name]), screen]
  return [...new Set(all.flatMap((each) => pathsOf(each.queries)))]
}
