import Big from 'big.js'
import * as z from 'zod/mini'

/** Decimals of every amount: stored as `numeric(20,5)`, sent as text, never a float. */
export const moneyDecimals = 5

/** Decimals of what a card is charged: the minor unit of the US dollar (ISO 4217). */
export const chargeDecimals = 2

declare const kind: unique symbol

/** An amount on the wire and in the database: a decimal with five places, as text. */
export type Amount = string & { readonly [kind]: 'Amount' }

/** An amount in an answer. */
/* @__NO_SIDE_EFFECTS__ */
export const amount = () => z.string() as unknown as z.ZodMiniType<Amount, Amount>

/** An amount from its text, rounded half up to five decimals. Throws on anything that is not a decimal. */
export const money = (text: string) => new Big(text).round(moneyDecimals, Big.roundHalfUp)

/** The text that goes over the wire and into the database: always five decimals. */
export const toAmount = (value: Big) => value.toFixed(moneyDecimals, Big.roundHalfUp) as Amount

/** The sum of amounts; nothing adds up to zero. */
export const sumAmounts = (amounts: Iterable<string>) =>
  toAmount([...amounts].reduce((sum, text) => sum.plus(money(text)), new Big(0)))

/** What a card is charged for an amount: rounded half up to the cent, as text with two decimals. */
export const toChargedAmount = (text: string) =>
  money(text).toFixed(chargeDecimals, Big.roundHalfUp)
