import Big from 'big.js'
import { type Amount, moneyDecimals } from './amount.ts'

/** Decimals of a charge: the minor unit of the US dollar (ISO 4217). */
export const chargeDecimals = 2

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

/** True if the amount has no fraction of a cent. */
export const isWholeCents = (text: string) => money(toChargedAmount(text)).eq(money(text))
