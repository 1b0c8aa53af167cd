import type { PaymentMethod, PaymentMethodId } from '@slipway/contract/payment-methods'
import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { paymentMethodsQuery } from '../../../api/queries.ts'
import {
  setDefaultOptimistically,
  uncachePaymentMethod,
  withDefault,
  withPaymentMethod,
} from './payment-method-queries.ts'

const card = (id: string, more: Partial<PaymentMethod> = {}) =>
  ({
    id: id as PaymentMethodId,
    isDefault: false,
    createdAt: `2026-11-0${id}T00:00:00.000Z`,
    ...more,
  }) as PaymentMethod

const first = card('1', { isDefault: true })
const second = card('2')
const third = card('3')
const cards = [first, third, second]

const idsOf = (methods: readonly PaymentMethod[] | undefined) => methods?.map(({ id }) => id)
const defaultsOf = (methods: readonly PaymentMethod[] | undefined) =>
  idsOf(methods?.filter(({ isDefault }) => isDefault))

function clientWith(methods: PaymentMethod[]) {
  const queryClient = new QueryClient()
  queryClient.setQueryData(paymentMethodsQuery.queryKey, methods)
  return { queryClient, shown: () => queryClient.getQueryData(paymentMethodsQuery.queryKey) }
}

test('a new default is at the top and the only one', () => {
  const shown = withDefault(cards, second.id)
  expect(idsOf(shown)).toEqual(['2', '3', '1'])
  expect(defaultsOf(shown)).toEqual(['2'])
})

test('a new card follows the default; the first card is the default', () => {
  expect(idsOf(withPaymentMethod(cards, card('4')))).toEqual(['1', '4', '3', '2'])
  expect(idsOf(withPaymentMethod([], first))).toEqual(['1'])
})

test('a card from a response replaces the cached one', () => {
  const shown = withPaymentMethod(cards, card('3', { isDefault: true, billingName: 'Ada' }))
  expect(idsOf(shown)).toEqual(['3', '2', '1'])
  expect(defaultsOf(shown)).toEqual(['3'])
  expect(shown[0]?.billingName).toBe('Ada')
})

test('a deleted card is removed', () => {
  const { queryClient, shown } = clientWith(cards)
  uncachePaymentMethod(queryClient, second.id)
  expect(idsOf(shown())).toEqual(['1', '3'])
})

test('the default moves to the top before the response and stays there', async () => {
  const { queryClient, shown } = clientWith(cards)
  await setDefaultOptimistically(queryClient, second.id, async () => {
    expect(idsOf(shown())).toEqual(['2', '3', '1'])
    return { ...second, isDefault: true }
  })
  expect(idsOf(shown())).toEqual(['2', '3', '1'])
})

test('the previous default is restored when the call fails', async () => {
  const { queryClient, shown } = clientWith(cards)
  const failure = new Error('no')
  await expect(
    setDefaultOptimistically(queryClient, second.id, () => Promise.reject(failure)),
  ).rejects.toBe(failure)
  expect(idsOf(shown())).toEqual(['1', '3', '2'])
  expect(defaultsOf(shown())).toEqual(['1'])
})

test('a card that arrives during a failed call stays', async () => {
  const { queryClient, shown } = clientWith(cards)
  await setDefaultOptimistically(queryClient, second.id, () => {
    queryClient.setQueryData(paymentMethodsQuery.queryKey, (methods) => methods?.concat(card('4')))
    return Promise.reject(new Error('no'))
  }).catch(() => undefined)
  expect(idsOf(shown())).toEqual(['1', '4', '3', '2'])
})
