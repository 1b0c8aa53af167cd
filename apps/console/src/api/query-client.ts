import { ApiError } from '@slipway/contract/client'
import { second } from '@slipway/contract/limits'
import { QueryClient } from '@tanstack/react-query'

/** Twice again for what may pass by itself; an answer that says no is final. */
const mayPass = (attempts: number, error: Error) =>
  attempts < 2 && !(error instanceof ApiError && error.status < 500)

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30 * second,
      retry: mayPass,
      retryDelay: (attempt) => second * (attempt + 1),
      // Offline shows its error and a retry, not a skeleton for ever.
      networkMode: 'always',
      refetchOnReconnect: true,
    },
    mutations: { networkMode: 'always' },
  },
})
