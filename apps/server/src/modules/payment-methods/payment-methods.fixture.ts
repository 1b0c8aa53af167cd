import {
  type BillingFields,
  createPaymentMethod,
  listPaymentMethods,
  type NewPaymentMethod,
  type PaymentMethod,
} from '@slipway/contract/payment-methods'
import type { PaymentGateway } from '../../engines/payments/gateway.ts'
import type { TestUser, World } from '../../testing/world.ts'

/** Numbers that the associations publish for tests; of 16 digits, as the form takes. */
export const visa = '4242424242424242'
/** The sandbox declines it when it is charged. */
export const declined = '4000000000000002'
/** The sandbox charges it and never says so. */
export const timesOut = '4000000000000341'

export const billing: BillingFields = {
  billingName: 'Ayşe Çağlar',
  address: 'İstiklal Caddesi 7',
  district: 'Beyoğlu',
  city: 'İstanbul',
  country: 'Turkey',
}

/** A filled-in form, good for years. */
export const cardForm = (more: Partial<NewPaymentMethod> = {}): NewPaymentMethod => ({
  ...billing,
  holderName: 'Ayse Caglar',
  cardNumber: visa,
  expireMonth: 12,
  expireYear: 2030,
  ...more,
})

/** A new card of somebody's; their first is the default. */
export const cardOf = (
  { call }: Pick<TestUser, 'call'>,
  more: Partial<NewPaymentMethod> = {},
): Promise<PaymentMethod> => call(createPaymentMethod, { body: cardForm(more) })

export const cardsOf = ({ call }: Pick<TestUser, 'call'>) => call(listPaymentMethods)

/** Puts another gateway, or one that does some of its calls otherwise, before every call from now on. */
export function replaceGateway(
  { app }: Pick<World, 'app'>,
  calls: Partial<PaymentGateway>,
): { restore(): void } {
  const before = app.ctx.paymentGateway
  app.ctx.paymentGateway = { ...before, ...calls }
  return {
    restore() {
      app.ctx.paymentGateway = before
    },
  }
}
