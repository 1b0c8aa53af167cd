import { createPaymentMethod, type NewPaymentMethod } from '@slipway/contract/payment-method-forms'
import {
  type BillingFields,
  listPaymentMethods,
  type PaymentMethod,
  type PaymentMethodId,
} from '@slipway/contract/payment-methods'
import { eq } from 'drizzle-orm'
import type { PaymentGateway } from '../../engines/payments/gateway.ts'
import type { TestUser, World } from '../../testing/world.ts'
import { paymentMethods } from './payment-methods.schema.ts'
import { openToken } from './payment-methods.tokens.ts'

/** Published test numbers, with 16 digits as the form requires. */
export const visa = '4242424242424242'
/** The sandbox declines its charges. */
export const declined = '4000000000000002'
/** The sandbox charges it but never responds. */
export const timesOut = '4000000000000341'

export const billingFields: BillingFields = {
  billingName: 'Ayşe Çağlar',
  address: 'İstiklal Caddesi 7',
  district: 'Beyoğlu',
  city: 'İstanbul',
  country: 'Turkey',
  taxNumber: '1234567890',
}

export const cardForm = (overrides: Partial<NewPaymentMethod> = {}): NewPaymentMethod => ({
  ...billingFields,
  holderName: 'Ayse Caglar',
  cardNumber: visa,
  expireMonth: 12,
  expireYear: 2030,
  ...overrides,
})

/** Adds a card for the user; the first is the default. */
export const cardOf = (
  { call }: Pick<TestUser, 'call'>,
  overrides: Partial<NewPaymentMethod> = {},
): Promise<PaymentMethod> => call(createPaymentMethod, { body: cardForm(overrides) })

export const cardsOf = ({ call }: Pick<TestUser, 'call'>) => call(listPaymentMethods)

/** Replaces the payment gateway, or some of its functions, until `restore`. */
export function replaceGateway(
  { app }: Pick<World, 'app'>,
  calls: Partial<PaymentGateway>,
): { restore(): void } {
  const original = app.ctx.paymentGateway
  app.ctx.paymentGateway = { ...original, ...calls }
  return {
    restore() {
      app.ctx.paymentGateway = original
    },
  }
}

export async function tokenOf({ ctx }: Pick<World, 'ctx'>, id: PaymentMethodId) {
  const [card] = await ctx.db.select().from(paymentMethods).where(eq(paymentMethods.id, id))
  if (!card) throw new Error('the card is not stored')
  return openToken(ctx, card)
}
