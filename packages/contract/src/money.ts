import Big from 'big.js'
import * as z from 'zod/mini'

/**
 * Decimals of an amount, which is `numeric(20,5)` in the database, text in JSON, and never a float.
 */
export const moneyDecimals = 5

/** Decimals of a charge: the minor unit of the US dollar (ISO 4217). */
export const chargeDecimals = 2

declare const kind: unique symbol

/** An amount in US dollars in JSON and in the database: a decimal with five places, as text. */
export type Amount = string & { readonly [kind]: 'Amount' }

/** An amount in a response. */
/* @__NO_SIDE_EFFECTS__ */
export const amount = () => z.string() as unknown as z.ZodMiniType<Amount, Amount>

/** Parses a decimal and rounds it half up to five places. Throws if the text is not a decimal. */
export const money = (text: string) => new Big(text).round(moneyDecimals, Big.roundHalfUp)

/** The amount as text with five decimals, rounded half up. */
export const toAmount = (value: Big) => value.toFixed(moneyDecimals, Big.roundHalfUp) as Amount

/** The sum of amounts; zero without any. */
export const sumAmounts = (amounts: Iterable<string>) =>
  toAmount([...amounts].reduce((sum, text) => sum.plus(money(text)), new Big(0)))

/** The charge for an amount: rounded half up to the cent, as text with two decimals. */
export const toChargedAmount = (text: string) =>
  money(text).toFixed(chargeDecimals, Big.roundHalfUp)
