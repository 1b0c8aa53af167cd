import type { PaymentMethodId } from '@slipway/contract/payment-methods'
import { expect, test } from 'vitest'
import { safeNextPath } from '../../../shell/navigation/next-path.ts'
import { returnPath, returnPathWithCard } from './return-path.ts'

const origin = 'https://console.example.com'
const goesTo = (next?: string) => returnPath(safeNextPath(next, origin))

test('a user who came from the pay page returns to it with the selected invoices', () => {
  const pay = '/account/billing/invoices/pay'
  expect(goesTo(pay)).toBe(pay)
  expect(goesTo(`${pay}?invoice=1`)).toBe(`${pay}?invoice=1`)
})

test('any other path leads to the overview', () => {
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

test('a new card is shown in the overview, or is selected on the pay page with the same invoices', () => {
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
