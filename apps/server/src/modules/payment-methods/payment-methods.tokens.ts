import { cardAssociationOf } from '@slipway/contract/cards'
import type { NewPaymentMethod, PaymentMethodId } from '@slipway/contract/payment-methods'
import type { Context, Tx, UserContext } from '../../context.ts'
import { deadline } from '../../engines/payments/deadline.ts'
import { Problem, problem } from '../../problem.ts'
import { billingOf } from './payment-methods.policy.ts'

/** Has a gateway forget one card. */
export const removeTokenJob = 'payment-methods.forget'

/** A card as its gateway knows it. */
export type Token = { gateway: string; token: string }

/**
 * Hands the card over to the gateway and gives what it is known by there. Throws `payment_failed` with the
 * reason when the gateway does not take it, and `unavailable` when it gives no answer: then nothing is known
 * of the card, here at least.
 */
export async function tokenise(
  { paymentGateway, user, address }: Pick<UserContext, 'paymentGateway' | 'user' | 'address'>,
  form: NewPaymentMethod,
): Promise<Token> {
  const { holderName, cardNumber, expireMonth, expireYear } = form
  const given = await paymentGateway
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
  if ('failure' in given) throw problem('payment_failed', given.failure)
  return { gateway: paymentGateway.name, token: given.token }
}

/** Has the gateway forget a card once the caller's transaction commits; `id`: of the row, if it has one. */
export const enqueueTokenRemoval = (
  ctx: Pick<Context, 'jobs'>,
  tx: Tx,
  { gateway, token, id }: Token & { id?: PaymentMethodId },
) => ctx.jobs.send(tx, removeTokenJob, { gateway, token, ...(id ? { paymentMethodId: id } : {}) })

/**
 * Has the gateway forget a card that could not be stored: nothing of ours knows its token after this. That it
 * did not work is logged; the card then stays there, where nobody can use it.
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

/** Has the gateway forget a card. Rejects when it did not, and for a gateway that is not ours any more. */
export async function removeToken(
  { paymentGateway }: Pick<Context, 'paymentGateway'>,
  card: Token,
) {
  if (card.gateway !== paymentGateway.name)
    throw new Error(`the card is at the gateway ${card.gateway}, which is not the one in use`)
  await paymentGateway.remove(card.token, deadline())
}
