import type { UserId } from '@slipway/contract/account'
import type { CardAssociation } from '@slipway/contract/card-associations'
import { cardAssociationOf, cardExpiry, expiryProblems } from '@slipway/contract/cards'
import type { NewPaymentMethod } from '@slipway/contract/payment-method-forms'
import type {
  BillingFields,
  PaymentMethod,
  PaymentMethodId,
} from '@slipway/contract/payment-methods'
import { serviceLimits } from '@slipway/contract/service-limits'
import type { Context, Tx, UserContext } from '../../context.ts'
import { newId } from '../../db/ids.ts'
import { invalid, problem } from '../../problem.ts'
import { recordActivity } from '../activity/activity.service.ts'
import * as events from '../events/events.service.ts'
import * as throttle from '../throttle/throttle.service.ts'
import { billingOf, isExpired } from './payment-methods.policy.ts'
import { tokens } from './payment-methods.sealed.ts'
import * as store from './payment-methods.store.ts'
import {
  enqueueTokenRemoval,
  openToken,
  removeTokenNow,
  type Token,
  tokenise,
} from './payment-methods.tokens.ts'

/** The part of a card that payments read. */
export type PayingCard = {
  id: PaymentMethodId
  /** The gateway that stores the card; the token is unknown to any other. */
  gateway: string
  token: string
  cardAssoc: CardAssociation
  lastDigits: string
  holderName: string
  /** The end of the card's last month. */
  expiresAt: Date
  billing: BillingFields
}

const toResponse = (ctx: Pick<Context, 'clock'>, card: store.PaymentMethod): PaymentMethod => ({
  id: card.id,
  ...billingOf(card),
  taxNumber: card.taxNumber,
  cardAssoc: card.cardAssoc,
  lastDigits: card.lastDigits,
  expiresAt: card.expiresAt.toISOString(),
  expired: isExpired(card, ctx.clock.now()),
  isDefault: card.isDefault,
  createdAt: card.createdAt.toISOString(),
})

/** The user's cards: the default first, then the newest. */
export const list = async (ctx: UserContext): Promise<PaymentMethod[]> =>
  (await store.listForUser(ctx.db, ctx.user.id)).map((card) => toResponse(ctx, card))

/** The billing details of the user's default card; undefined without cards. */
export async function findDefaultBilling(ctx: UserContext): Promise<BillingFields | undefined> {
  const card = await store.findDefaultForUser(ctx.db, ctx.user.id)
  return card && billingOf(card)
}

/**
 * Counts an attempt to add a card, also a failing one: testing stolen numbers hits the rate limit.
 * Throws `payment_method_limit_reached` and `too_many_requests`, before the gateway is called.
 */
const checkCardLimits = (ctx: UserContext) =>
  ctx.write(async (tx) => {
    if ((await store.countForUser(tx, ctx.user.id)) >= serviceLimits.paymentMethodsPerUser)
      throw problem('payment_method_limit_reached')
    const subject = `card:${ctx.user.id}`
    const now = ctx.clock.now()
    await throttle.consume(tx, now, subject, serviceLimits.cardsAddedPerUser, 'too_many_requests')
  })

/** Publishes that the user's cards changed, when the transaction commits. */
const publishCardsChanged = (tx: Tx, userId: UserId) =>
  events.publish(tx, { kind: 'User', data: { type: 'Updated', userId } })

/** Records a card's addition or removal as activity, with its last four digits. */
const recordCardActivity = (
  ctx: UserContext,
  tx: Tx,
  kind: 'card_added' | 'card_removed',
  { lastDigits: subject }: store.PaymentMethod,
) => recordActivity(ctx, tx, { kind, concerns: { accountId: ctx.user.id }, subject })

/** A billing address in one line, for the activity. */
const billingText = (card: BillingFields) =>
  Object.values(billingOf(card))
    .filter((value) => value !== null)
    .join(', ')

/** Stores a card by its token; undefined when the limit is reached. */
const add = (
  ctx: UserContext,
  id: PaymentMethodId,
  form: NewPaymentMethod,
  { gateway, token }: Token,
) =>
  ctx.write(async (tx) => {
    await store.lockCardSet(tx, ctx.user.id)
    const others = await store.countForUser(tx, ctx.user.id)
    // True if another request reached the limit meanwhile. The gateway has the card already, so it
    // is inserted as deleted, and a job removes it from the gateway.
    const isTooMany = others >= serviceLimits.paymentMethodsPerUser
    const now = ctx.clock.now()
    const card = {
      id,
      userId: ctx.user.id,
      gateway,
      sealedToken: tokens.seal(ctx.sealing, id, token),
      ...billingOf(form),
      holderName: form.holderName,
      cardAssoc: cardAssociationOf(form.cardNumber),
      lastDigits: form.cardNumber.slice(-4),
      expiresAt: cardExpiry(form.expireMonth, form.expireYear),
      isDefault: others === 0,
      deletedAt: isTooMany ? now : null,
    }
    const stored = await store.insert(tx, card, now)
    if (isTooMany) {
      await enqueueTokenRemoval(ctx, tx, stored)
      return undefined
    }
    await recordCardActivity(ctx, tx, 'card_added', stored)
    await publishCardsChanged(tx, ctx.user.id)
    return stored
  })

/**
 * Removes a token unless its card was stored: a commit can succeed although its response is lost.
 */
async function removeTokenUnlessStored(ctx: UserContext, id: PaymentMethodId, token: Token) {
  const stored = await store.isStored(ctx.db, ctx.user.id, id).catch((err) => {
    ctx.log.error({ err }, 'it is not known whether a card was stored')
    return true
  })
  if (!stored) await removeTokenNow(ctx, token)
}

/**
 * Adds a card; the first one becomes the default. The number is sent only to the payment gateway.
 * Throws `validation_error` for an expired card, `payment_failed` with the reason when the gateway
 * declines it, `unavailable` when the gateway does not respond, `payment_method_limit_reached` and
 * `too_many_requests`; then nothing is stored.
 */
export async function create(ctx: UserContext, form: NewPaymentMethod): Promise<PaymentMethod> {
  const problems = expiryProblems(form, ctx.clock.now())
  if (problems) throw invalid(problems)
  await checkCardLimits(ctx)
  const token = await tokenise(ctx, form)
  const id = newId<'PaymentMethod'>()
  const added = await add(ctx, id, form, token).catch(async (error) => {
    await removeTokenUnlessStored(ctx, id, token)
    throw error
  })
  if (!added) throw problem('payment_method_limit_reached')
  return toResponse(ctx, added)
}

/** Changes a card's billing details; returns the card. Throws `payment_method_not_found`. */
export const update = (
  ctx: UserContext,
  id: PaymentMethodId,
  billing: BillingFields,
): Promise<PaymentMethod> =>
  ctx.write(async (tx) => {
    const now = ctx.clock.now()
    await store.lockCardSet(tx, ctx.user.id)
    const card = await store.lockForUser(tx, ctx.user.id, id)
    const changed = await store.setBilling(tx, ctx.user.id, id, billingOf(billing), now)
    if (!card || !changed) throw problem('payment_method_not_found')
    const [before, after] = [billingText(card), billingText(changed)]
    if (before !== after)
      await recordActivity(ctx, tx, {
        kind: 'card_changed',
        concerns: { accountId: ctx.user.id },
        subject: changed.lastDigits,
        before,
        after,
      })
    await publishCardsChanged(tx, ctx.user.id)
    return toResponse(ctx, changed)
  })

/** Makes a card the only default; returns it. Throws `payment_method_not_found`. */
export const setDefault = (ctx: UserContext, id: PaymentMethodId): Promise<PaymentMethod> =>
  ctx.write(async (tx) => {
    await store.lockCardSet(tx, ctx.user.id)
    const previous = await store.findDefaultForUser(tx, ctx.user.id)
    const changed = await store.setDefault(tx, ctx.user.id, id, ctx.clock.now())
    if (!changed) throw problem('payment_method_not_found')
    if (previous?.id !== id)
      await recordActivity(ctx, tx, {
        kind: 'card_default',
        concerns: { accountId: ctx.user.id },
        before: previous?.lastDigits ?? null,
        after: changed.lastDigits,
      })
    await publishCardsChanged(tx, ctx.user.id)
    return toResponse(ctx, changed)
  })

/**
 * Deletes a card; a job removes it from the gateway. Throws `payment_method_not_found`, and
 * `default_payment_method` for the default card.
 */
export const remove = (ctx: UserContext, id: PaymentMethodId): Promise<void> =>
  ctx.write(async (tx) => {
    await store.lockCardSet(tx, ctx.user.id)
    const card = await store.setDeleted(tx, ctx.user.id, id, ctx.clock.now())
    if (!card) throw problem('payment_method_not_found')
    // Throwing rolls the deletion back.
    if (card.isDefault) throw problem('default_payment_method')
    await recordCardActivity(ctx, tx, 'card_removed', card)
    await publishCardsChanged(tx, ctx.user.id)
    await enqueueTokenRemoval(ctx, tx, card)
  })

/**
 * Locks the user's card for a payment until the transaction ends. The caller checks its expiry.
 * Throws `payment_method_not_found`, also for a deleted card and for another user's.
 */
export async function lockForPayment(
  ctx: Pick<Context, 'sealing'>,
  tx: Tx,
  userId: UserId,
  id: PaymentMethodId,
): Promise<PayingCard> {
  const card = await store.lockForUser(tx, userId, id)
  if (!card) throw problem('payment_method_not_found')
  return {
    id,
    gateway: card.gateway,
    token: openToken(ctx, card),
    cardAssoc: card.cardAssoc,
    lastDigits: card.lastDigits,
    holderName: card.holderName,
    expiresAt: card.expiresAt,
    billing: billingOf(card),
  }
}
