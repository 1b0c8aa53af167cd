import type { FetchQueryOptions } from '@tanstack/react-query'
import type { ParamName, PathParams } from '../paths.ts'
import * as queries from './queries.ts'
import { queryClient } from './query-client.ts'

/** The parameters of a URL's path, and its query parameters. */
export type Address<Pattern extends string = string> = {
  params: { [Name in ParamName<Pattern>]: PathParams[Name] }
  search: Record<string, unknown>
}

type Queries = typeof queries

/** Any query of `queries.ts`. The build reads its request from `meta` (`request-query.ts`). */
export type ScreenQuery = Queries[keyof Queries] extends infer Query
  ? Query extends (...input: never[]) => infer Result
    ? Result
    : Query
  : never

/** Selects the queries of a screen at an address from `queries.ts`. */
export type ScreenQueries<Pattern extends string = string> = (
  queries: Queries,
  address: Address<Pattern>,
) => readonly ScreenQuery[]

/** Requests the data that is not cached or is stale. A failure shows where the query is used. */
export function prefetch(screenQueries: ScreenQueries, address: Address) {
  for (const query of screenQueries(queries, address))
    void queryClient.prefetchQuery(query as unknown as FetchQueryOptions)
}
