import { cardAssociationOf } from '@slipway/contract/cards'
import type { NewPaymentMethod, PaymentMethodId } from '@slipway/contract/payment-methods'
import type { Context, Tx, UserContext } from '../../context.ts'
import { deadline } from '../../engines/payments/deadline.ts'
import { Problem, problem } from '../../problem.ts'
import { billingOf } from './payment-methods.policy.ts'

/** Removes one card from its gateway. The name is older than the functions: queued jobs keep it. */
export const removeTokenJob = 'payment-methods.forget'

/** A card's token, and the gateway that issued it. */
export type Token = { gateway: string; token: string }

/**
 * Stores a card at the gateway and returns its token. Throws `payment_failed` with the reason when
 * the gateway refuses it, and `unavailable` when the gateway does not respond.
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
 * Enqueues the removal of a card from its gateway, in `tx`. `id`: of the card's row, if it has one.
 */
export const enqueueTokenRemoval = (
  ctx: Pick<Context, 'jobs'>,
  tx: Tx,
  { gateway, token, id }: Token & { id?: PaymentMethodId },
) => ctx.jobs.send(tx, removeTokenJob, { gateway, token, ...(id ? { paymentMethodId: id } : {}) })

/**
 * Removes a card from the gateway that could not be stored. A failure is only logged: the token is
 * lost then, and nobody can charge the card.
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
