import type { BillingFields } from '@slipway/contract/payment-methods'
import { newId } from '../../../db/ids.ts'
import type { Card, Charge, Customer } from '../gateway.ts'

/** A stored card has two keys, joined into one token. */
type CardKeys = { cardUserKey: string; cardToken: string }

export const tokenOf = ({ cardUserKey, cardToken }: CardKeys) => `${cardUserKey}:${cardToken}`

/** Both keys are base64, without a colon. */
function keysOf(token: string): CardKeys {
  const [cardUserKey = '', cardToken = ''] = token.split(':')
  return { cardUserKey, cardToken }
}

const locale = 'en'

/** `externalId` identifies the account in iyzico's own console. */
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

/** iyzico requires an identity number; this one means that there is none, as for foreign buyers. */
const noIdentityNumber = '11111111111'

/** The required IP address for a charge without a client, which comes from our own server. */
const ownAddress = '127.0.0.1'

/** iyzico requires a first name and a surname: a single word is used as both. */
function namesOf(text: string) {
  const words = text.trim().split(/\s+/)
  const surname = words.at(-1) ?? text
  return { name: words.slice(0, -1).join(' ') || surname, surname }
}

const cityAndCountryOf = ({ district, city, country }: BillingFields) => ({
  city: `${district}, ${city}`,
  country,
})

const addressOf = (billing: BillingFields) => ({
  contactName: billing.billingName,
  address: billing.address,
  ...cityAndCountryOf(billing),
})

/** One charge of a stored card, in one instalment. The package expects amounts as text. */
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
    ...cityAndCountryOf(billing),
    ip: customer.address ?? ownAddress,
  },
  // Required, although nothing is shipped.
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
