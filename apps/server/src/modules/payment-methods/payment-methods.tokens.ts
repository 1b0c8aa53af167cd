import type { UserId } from '@slipway/contract/account'
import { cardAssociationOf } from '@slipway/contract/cards'
import type { NewPaymentMethod } from '@slipway/contract/payment-method-forms'
import type { PaymentMethodId } from '@slipway/contract/payment-methods'
import type { Context, Tx, UserContext } from '../../context.ts'
import { deadline } from '../../engines/payments/deadline.ts'
import { Problem, problem } from '../../problem.ts'
import { billingOf } from './payment-methods.policy.ts'
import { tokens } from './payment-methods.sealed.ts'
import * as store from './payment-methods.store.ts'

export const removeCardJob = 'payment-methods.remove'

export type Token = { gateway: string; token: string }

export const openToken = (
  { sealing }: Pick<Context, 'sealing'>,
  card: Pick<store.PaymentMethod, 'id' | 'sealedToken' | 'token'>,
) => tokens.open(sealing, card.id, card.sealedToken, card.token).toString()

/**
 * Stores a card at the gateway and returns its token. Throws `payment_failed` with the reason when
 * the gateway rejects it, and `unavailable` when the gateway does not respond.
 */
export async function tokenise(
  { paymentGateway, user, address }: Pick<UserContext, 'paymentGateway' | 'user' | 'address'>,
  form: NewPaymentMethod,
): Promise<Token> {
  const { holderName, cardNumber, expireMonth, expireYear } = form
  const result = await paymentGateway
    .tokenise(
      { holderName, number: cardNumber, expireMonth, expireYear },
      {
        customer: { id: user.id, name: user.name, email: user.email, address },
        billing: billingOf(form),
        association: cardAssociationOf(cardNumber),
      },
      deadline(),
    )
    .catch((error) => {
      throw new Problem('unavailable', { cause: error })
    })
  if ('failure' in result) throw problem('payment_failed', result.failure)
  return { gateway: paymentGateway.name, token: result.token }
}

/**
 * Enqueues the removal of a deleted card from its gateway, in `tx`. The job reads the token from
 * the card's row, where it is sealed.
 */
export const enqueueTokenRemoval = (
  ctx: Pick<Context, 'jobs'>,
  tx: Tx,
  { userId, id }: { userId: UserId; id: PaymentMethodId },
) => ctx.jobs.send(tx, removeCardJob, { userId, paymentMethodId: id })

/**
 * Removes a card from the gateway that could not be stored. A failure is only logged: without
 * its token the card cannot be charged.
 */
export async function removeTokenNow(
  { paymentGateway, log }: Pick<Context, 'paymentGateway' | 'log'>,
  { token }: Token,
): Promise<void> {
  try {
    await paymentGateway.remove(token, deadline())
  } catch (err) {
    log.error({ err }, 'a card that was not stored stays at its payment gateway')
  }
}

/**
 * Removes a card from the gateway. Rejects on failure, and for a gateway that is not configured.
 */
export async function removeToken(
  { paymentGateway }: Pick<Context, 'paymentGateway'>,
  card: Token,
) {
  if (card.gateway !== paymentGateway.name)
    throw new Error(`the card is at the gateway ${card.gateway}, which is not the one in use`)
  await paymentGateway.remove(card.token, deadline())
}

/** Removes a deleted card of the user from its gateway. Rejects as `removeToken` does. */
export async function removeDeletedCard(
  ctx: Pick<Context, 'db' | 'paymentGateway' | 'sealing'>,
  userId: UserId,
  id: PaymentMethodId,
) {
  const card = await store.findDeletedForUser(ctx.db, userId, id)
  if (!card) throw new Error(`there is no deleted card ${id}`)
  await removeToken(ctx, { gateway: card.gateway, token: openToken(ctx, card) })
}
