import type { BillingFields } from '@slipway/contract/payment-methods'
import { newId } from '../../../db/ids.ts'
import type { Card, Charge, Customer } from '../gateway.ts'

/** A stored card as iyzico knows it: two keys, which are kept as one token. */
type CardKeys = { cardUserKey: string; cardToken: string }

export const tokenOf = ({ cardUserKey, cardToken }: CardKeys) => `${cardUserKey}:${cardToken}`

/** Both keys are base64, which has no colon. */
function keysOf(token: string): CardKeys {
  const [cardUserKey = '', cardToken = ''] = token.split(':')
  return { cardUserKey, cardToken }
}

const locale = 'en'

/** `externalId` is what an account's cards are found by in iyzico's own console. */
export const cardRequest = (card: Card, customer: Customer) => ({
  locale,
  conversationId: newId(),
  externalId: customer.id,
  email: customer.email,
  card: {
    cardHolderName: card.holderName,
    cardNumber: card.number,
    expireMonth: String(card.expireMonth).padStart(2, '0'),
    expireYear: String(card.expireYear),
  },
})

export const cardRemoval = (token: string) => ({
  locale,
  conversationId: newId(),
  ...keysOf(token),
})

/**
 * iyzico requires a number of the buyer's identity card, which we do not ask for; this one says that there
 * is none, as for buyers from abroad.
 */
const noIdentityNumber = '11111111111'

/** Required, too. A charge that no request asked for has no address, and is our own machine's doing. */
const ownAddress = '127.0.0.1'

/** People give one name, and iyzico requires two: of a single word both are made. */
function namesOf(text: string) {
  const words = text.trim().split(/\s+/)
  const surname = words.at(-1) ?? text
  return { name: words.slice(0, -1).join(' ') || surname, surname }
}

const placeOf = ({ district, city, country }: BillingFields) => ({
  city: `${district}, ${city}`,
  country,
})

const addressOf = (billing: BillingFields) => ({
  contactName: billing.billingName,
  address: billing.address,
  ...placeOf(billing),
})

/** One charge of a stored card, in one instalment. The amounts are text on our side of the package. */
export const paymentRequest = ({ idempotencyKey, token, amount, customer, billing }: Charge) => ({
  locale,
  conversationId: idempotencyKey,
  basketId: idempotencyKey,
  price: amount,
  paidPrice: amount,
  currency: 'USD',
  installment: 1,
  paymentChannel: 'WEB',
  paymentGroup: 'PRODUCT',
  paymentCard: keysOf(token),
  buyer: {
    id: customer.id,
    ...namesOf(customer.name),
    identityNumber: noIdentityNumber,
    email: customer.email,
    registrationAddress: billing.address,
    ...placeOf(billing),
    ip: customer.address ?? ownAddress,
  },
  // Nothing is sent to anywhere, but the address is required all the same.
  shippingAddress: addressOf(billing),
  billingAddress: addressOf(billing),
  basketItems: [
    {
      id: idempotencyKey,
      price: amount,
      name: 'Website hosting',
      category1: 'Hosting',
      itemType: 'VIRTUAL',
    },
  ],
})

export const paymentQuery = (idempotencyKey: string) => ({
  locale,
  conversationId: newId(),
  paymentConversationId: idempotencyKey,
})
