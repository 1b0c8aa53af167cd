import type { UserId } from '@slipway/contract/account'
import {
  type CardAssociation,
  cardAssociationOf,
  cardExpiry,
  expiryProblems,
} from '@slipway/contract/cards'
import { limits } from '@slipway/contract/limits'
import type {
  BillingFields,
  NewPaymentMethod,
  PaymentMethod,
  PaymentMethodId,
} from '@slipway/contract/payment-methods'
import type { Context, Tx, UserContext } from '../../context.ts'
import { invalid, problem } from '../../problem.ts'
import * as events from '../events/events.service.ts'
import * as throttle from '../throttle/throttle.service.ts'
import { billingOf, isExpired } from './payment-methods.policy.ts'
import * as store from './payment-methods.store.ts'
import {
  enqueueTokenRemoval,
  removeTokenNow,
  type Token,
  tokenise,
} from './payment-methods.tokens.ts'

/** A card as far as a payment needs it. */
export type PayingCard = {
  id: PaymentMethodId
  /** Which gateway holds the card; another one knows nothing of its token. */
  gateway: string
  token: string
  cardAssoc: CardAssociation
  lastDigits: string
  holderName: string
  /** The end of the card's last month. */
  expiresAt: Date
  billing: BillingFields
}

const present = (ctx: Pick<Context, 'clock'>, card: store.PaymentMethod): PaymentMethod => ({
  id: card.id,
  ...billingOf(card),
  cardAssoc: card.cardAssoc,
  lastDigits: card.lastDigits,
  expiresAt: card.expiresAt.toISOString(),
  expired: isExpired(card, ctx.clock.now()),
  isDefault: card.isDefault,
  createdAt: card.createdAt.toISOString(),
})

/** The user's cards: the default first, then the newest. */
export const all = async (ctx: UserContext): Promise<PaymentMethod[]> =>
  (await store.listForUser(ctx.db, ctx.user.id)).map((card) => present(ctx, card))

/** Whom and where the bills of the user's default card are for; undefined for somebody without cards. */
export async function findDefaultBilling(ctx: UserContext): Promise<BillingFields | undefined> {
  const card = await store.findDefaultForUser(ctx.db, ctx.user.id)
  return card && billingOf(card)
}

/**
 * Counts a card that the user hands over, whatever becomes of it: what tries stolen numbers is refused
 * most of them. Throws `payment_method_limit_reached`, before the gateway hears of another card.
 */
const checkCardLimits = (ctx: UserContext) =>
  ctx.write(async (tx) => {
    if ((await store.countForUser(tx, ctx.user.id)) >= limits.paymentMethodsPerUser)
      throw problem('payment_method_limit_reached')
    const subject = `card:${ctx.user.id}`
    const now = ctx.clock.now()
    await throttle.take(tx, now, subject, limits.cardsAddedPerUser, 'too_many_requests')
  })

/** Tells the user, wherever they look, that their cards changed, when the transaction commits. */
const announce = (tx: Tx, userId: UserId) =>
  events.publish(tx, { kind: 'User', data: { type: 'Updated', userId } })

/** Stores the card that the gateway has; undefined when there is no room for it any more. */
const add = (ctx: UserContext, form: NewPaymentMethod, token: Token) =>
  ctx.write(async (tx) => {
    await store.lockAll(tx, ctx.user.id)
    const others = await store.countForUser(tx, ctx.user.id)
    // The last one that there was room for was added meanwhile, and the gateway has this one already.
    if (others >= limits.paymentMethodsPerUser) {
      await enqueueTokenRemoval(ctx, tx, token)
      return undefined
    }
    const card = {
      userId: ctx.user.id,
      ...token,
      ...billingOf(form),
      holderName: form.holderName,
      cardAssoc: cardAssociationOf(form.cardNumber),
      lastDigits: form.cardNumber.slice(-4),
      expiresAt: cardExpiry(form.expireMonth, form.expireYear),
      isDefault: others === 0,
    }
    await announce(tx, ctx.user.id)
    return store.insert(tx, card, ctx.clock.now())
  })

/** A commit whose answer got lost has stored the card all the same: then it stays where it is. */
async function removeTokenUnlessStored(ctx: UserContext, token: Token) {
  const stored = await store.hasToken(ctx.db, ctx.user.id, token.token).catch((err) => {
    ctx.log.error({ err }, 'it is not known whether a card was stored')
    return true
  })
  if (!stored) await removeTokenNow(ctx, token)
}

/**
 * Adds a card, whose number goes to the payment gateway and nowhere else; gives it. The first one becomes
 * the default. Throws a `validation_error` for one that has expired, `payment_failed` with the reason when
 * the gateway does not take it, `unavailable` when that gives no answer, `payment_method_limit_reached`,
 * and `too_many_requests` when too many were handed over. Then nothing is kept.
 */
export async function create(ctx: UserContext, form: NewPaymentMethod): Promise<PaymentMethod> {
  const problems = expiryProblems(form, ctx.clock.now())
  if (problems) throw invalid(problems)
  await checkCardLimits(ctx)
  const token = await tokenise(ctx, form)
  const added = await add(ctx, form, token).catch(async (error) => {
    await removeTokenUnlessStored(ctx, token)
    throw error
  })
  if (!added) throw problem('payment_method_limit_reached')
  return present(ctx, added)
}

/** Changes whom and where a card's bills are for; gives it. Throws `payment_method_not_found`. */
export const update = (
  ctx: UserContext,
  id: PaymentMethodId,
  billing: BillingFields,
): Promise<PaymentMethod> =>
  ctx.write(async (tx) => {
    const now = ctx.clock.now()
    const changed = await store.setBilling(tx, ctx.user.id, id, billingOf(billing), now)
    if (!changed) throw problem('payment_method_not_found')
    await announce(tx, ctx.user.id)
    return present(ctx, changed)
  })

/** Makes a card the default, and no other; gives it. Throws `payment_method_not_found`. */
export const makeDefault = (ctx: UserContext, id: PaymentMethodId): Promise<PaymentMethod> =>
  ctx.write(async (tx) => {
    await store.lockAll(tx, ctx.user.id)
    const changed = await store.setDefault(tx, ctx.user.id, id, ctx.clock.now())
    if (!changed) throw problem('payment_method_not_found')
    await announce(tx, ctx.user.id)
    return present(ctx, changed)
  })

/**
 * Deletes a card; a job has the gateway forget it. Throws `payment_method_not_found`, and
 * `default_payment_method` for the default, which another has to become first.
 */
export const remove = (ctx: UserContext, id: PaymentMethodId): Promise<void> =>
  ctx.write(async (tx) => {
    await store.lockAll(tx, ctx.user.id)
    const card = await store.setDeleted(tx, ctx.user.id, id, ctx.clock.now())
    if (!card) throw problem('payment_method_not_found')
    if (card.isDefault) throw problem('default_payment_method')
    await announce(tx, ctx.user.id)
    await enqueueTokenRemoval(ctx, tx, card)
  })

/**
 * The user's card to pay with, which nobody changes or deletes until the transaction ends; whether it has
 * expired is for the caller to ask. Throws `payment_method_not_found`, also for somebody else's and for a
 * deleted one.
 */
export async function lockForPayment(
  tx: Tx,
  userId: UserId,
  id: PaymentMethodId,
): Promise<PayingCard> {
  const card = await store.lockForUser(tx, userId, id)
  if (!card) throw problem('payment_method_not_found')
  return {
    id,
    gateway: card.gateway,
    token: card.token,
    cardAssoc: card.cardAssoc,
    lastDigits: card.lastDigits,
    holderName: card.holderName,
    expiresAt: card.expiresAt,
    billing: billingOf(card),
  }
}
