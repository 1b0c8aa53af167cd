import type { PaymentMethod, PaymentMethodId } from '@slipway/contract/payment-methods'
import type { QueryClient } from '@tanstack/react-query'
import { paymentMethodsQuery } from '../../../api/queries.ts'

const { queryKey } = paymentMethodsQuery

/** Sorted as on the server: the default first, then the newest. */
const inOrder = (methods: readonly PaymentMethod[]) =>
  methods.toSorted(
    (a, b) =>
      // biome-ignore lint/plugin: compares two flags, not money
      Number(b.isDefault) - Number(a.isDefault) ||
      b.createdAt.localeCompare(a.createdAt) ||
      b.id.localeCompare(a.id),
  )

/** Makes one card the default and moves it to the top. */
export const withDefault = (methods: readonly PaymentMethod[], id: PaymentMethodId) =>
  inOrder(methods.map((method) => ({ ...method, isDefault: method.id === id })))

/** Inserts or replaces a card; a new default replaces the previous one. */
export const withPaymentMethod = (methods: readonly PaymentMethod[], updated: PaymentMethod) => {
  const otherMethods = methods
    .filter(({ id }) => id !== updated.id)
    .map((method) => (updated.isDefault ? { ...method, isDefault: false } : method))
  return inOrder([updated, ...otherMethods])
}

export const invalidatePaymentMethods = (queryClient: QueryClient) =>
  queryClient.invalidateQueries({ queryKey })

export function cachePaymentMethod(queryClient: QueryClient, updated: PaymentMethod) {
  queryClient.setQueryData(queryKey, (methods) => methods && withPaymentMethod(methods, updated))
  void invalidatePaymentMethods(queryClient)
}

export function uncachePaymentMethod(queryClient: QueryClient, id: PaymentMethodId) {
  queryClient.setQueryData(queryKey, (methods) => methods?.filter((method) => method.id !== id))
  void invalidatePaymentMethods(queryClient)
}

/**
 * Shows another default immediately while `call` runs; restores the previous one if it fails.
 * Throws the error of the call.
 */
export async function setDefaultOptimistically(
  queryClient: QueryClient,
  id: PaymentMethodId,
  call: () => Promise<PaymentMethod>,
) {
  // A response in flight would restore the previous default.
  await queryClient.cancelQueries({ queryKey })
  const before = queryClient.getQueryData(queryKey)
  queryClient.setQueryData(queryKey, (methods) => methods && withDefault(methods, id))
  try {
    cachePaymentMethod(queryClient, await call())
  } catch (error) {
    const previousDefault = before?.find(({ isDefault }) => isDefault)
    queryClient.setQueryData(
      queryKey,
      (methods) =>
        methods && (previousDefault ? withDefault(methods, previousDefault.id) : methods),
    )
    void invalidatePaymentMethods(queryClient)
    throw error
  }
}
