import { ApiError } from '@slipway/contract/client'
import { second } from '@slipway/contract/limits'
import { QueryClient } from '@tanstack/react-query'

/** Retries twice; a 4xx is final. */
const shouldRetry = (failures: number, error: Error) =>
  failures < 2 && !(error instanceof ApiError && error.status < 500)

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30 * second,
      retry: shouldRetry,
      retryDelay: (attempt) => second * (attempt + 1),
      // Offline, a query fails and offers a retry instead of a skeleton without end.
      networkMode: 'always',
      refetchOnReconnect: true,
    },
    mutations: { networkMode: 'always' },
  },
})
