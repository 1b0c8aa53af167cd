import type { PaymentMethod, PaymentMethodId } from '@slipway/contract/payment-methods'
import type { QueryClient } from '@tanstack/react-query'
import { paymentMethodsQuery } from '../../../api/queries.ts'

const { queryKey } = paymentMethodsQuery

/** As the server orders them: the default first, then the newest. */
const inOrder = (methods: readonly PaymentMethod[]) =>
  methods.toSorted(
    (a, b) =>
      // biome-ignore lint/plugin: of two flags, and no money
      Number(b.isDefault) - Number(a.isDefault) ||
      b.createdAt.localeCompare(a.createdAt) ||
      b.id.localeCompare(a.id),
  )

/** The cards with another default, which is at the top. */
export const withDefault = (methods: readonly PaymentMethod[], id: PaymentMethodId) =>
  inOrder(methods.map((method) => ({ ...method, isDefault: method.id === id })))

/** The cards with an answered one among them: the default is one alone. */
export const withAnswered = (methods: readonly PaymentMethod[], answered: PaymentMethod) => {
  const others = methods
    .filter(({ id }) => id !== answered.id)
    .map((method) => (answered.isDefault ? { ...method, isDefault: false } : method))
  return inOrder([answered, ...others])
}

/** Asks for the cards as they are now. */
export const askAgain = (queryClient: QueryClient) => queryClient.invalidateQueries({ queryKey })

/** Shows a card as a call answered it, and asks for what has happened since. */
export function showAnswered(queryClient: QueryClient, answered: PaymentMethod) {
  queryClient.setQueryData(queryKey, (methods) => methods && withAnswered(methods, answered))
  void askAgain(queryClient)
}

/** Shows that a card is gone. */
export function showDeleted(queryClient: QueryClient, id: PaymentMethodId) {
  queryClient.setQueryData(queryKey, (methods) => methods?.filter((held) => held.id !== id))
  void askAgain(queryClient)
}

/**
 * Shows another default at once, while `call` asks for it; when that fails, the one before is back. Throws
 * what the call throws.
 */
export async function makeDefault(
  queryClient: QueryClient,
  id: PaymentMethodId,
  call: () => Promise<PaymentMethod>,
) {
  // An answer on its way would take it back for a moment.
  await queryClient.cancelQueries({ queryKey })
  const before = queryClient.getQueryData(queryKey)
  queryClient.setQueryData(queryKey, (methods) => methods && withDefault(methods, id))
  try {
    showAnswered(queryClient, await call())
  } catch (error) {
    const held = before?.find(({ isDefault }) => isDefault)
    queryClient.setQueryData(
      queryKey,
      (methods) => methods && (held ? withDefault(methods, held.id) : methods),
    )
    void askAgain(queryClient)
    throw error
  }
}
