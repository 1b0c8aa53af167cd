import type { PaymentMethodId } from '@slipway/contract/payment-methods'
import { expect, test } from 'vitest'
import { safeNextPath } from '../../../shell/navigation/next-path.ts'
import { returnPath, returnPathWithCard } from './return-path.ts'

const origin = 'https://console.example.com'
const goesTo = (next?: string) => returnPath(safeNextPath(next, origin))

test('whoever came from paying goes back to it, with what they had chosen', () => {
  const pay = '/account/billing/invoices/pay'
  expect(goesTo(pay)).toBe(pay)
  expect(goesTo(`${pay}?invoice=1`)).toBe(`${pay}?invoice=1`)
})

test('everybody else goes to the overview, wherever a link says', () => {
  for (const next of [
    undefined,
    '',
    'https://evil.example/account/billing/invoices/pay',
    '//evil.example/account/billing/invoices/pay',
    '/projects',
    '/account/billing/invoices/pay/../../../../auth/login',
  ])
    expect(goesTo(next)).toBe('/account/billing/overview')
})

test('a new card is shown among the others, or is chosen where one pays, with the invoices of before', () => {
  const id = 'c1' as PaymentMethodId
  expect(returnPathWithCard(id, '/account/billing/overview')).toBe(
    '/account/billing/overview#card-c1',
  )
  const pay = '/account/billing/invoices/pay'
  expect(returnPathWithCard(id, pay)).toBe(`${pay}?method=c1`)
  expect(returnPathWithCard(id, `${pay}?invoice=1%2C2&method=old`)).toBe(
    `${pay}?invoice=1%2C2&method=c1`,
  )
})
