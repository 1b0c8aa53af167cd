import type { requestPath } from '@slipway/contract/client'
import type { Endpoint, RequestOf, ResponseOf } from '@slipway/contract/endpoint'
import { type QueryKey, queryOptions } from '@tanstack/react-query'
import { call } from './client.ts'

export type QueryRequest = { endpoint: Endpoint; input: Parameters<typeof requestPath>[1] }

/** The `meta` of a query, from which the build reads its request. */
type RequestMeta = { request: QueryRequest }

/** A query that sends one request of the contract. */
export const requestQuery = <E extends Endpoint, Key extends QueryKey>(
  queryKey: Key,
  endpoint: E,
  input?: RequestOf<E>,
) =>
  queryOptions({
    queryKey,
    queryFn: ({ signal }): Promise<ResponseOf<E>> =>
      call(endpoint as never, input as never, signal),
    meta: {
      request: { endpoint, input: (input ?? {}) as QueryRequest['input'] },
    } satisfies RequestMeta,
  })

/** The request of a query that `requestQuery` made. */
export const requestOf = ({ meta }: { meta?: Record<string, unknown> }) =>
  (meta as RequestMeta).request
