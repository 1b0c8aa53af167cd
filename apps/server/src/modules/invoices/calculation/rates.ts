import { money } from '@slipway/contract/money'
import Big from 'big.js'

/** The prices and one customer's discounts, each from its start, in order of time. */
export type Rates = {
  prices: readonly { productId: string; startsAt: Date; price: string }[]
  discounts: readonly { productId: string; startsAt: Date; discount: string | null }[]
}

/** The price and discount of hours that begin from `from` until before `until` (epoch ms). */
export type Rate = { from: number; until: number; price: Big; discount: Big | null }

const sameAmount = (first: Big | null, second: Big | null) =>
  first === null || second === null ? first === second : first.eq(second)

/** Limits a discount to the price; no discount, or one of zero, is null. */
function effectiveDiscount(discount: string | null | undefined, price: Big) {
  if (discount === null || discount === undefined) return null
  const amount = money(discount)
  if (!amount.gt(0)) return null
  return amount.gt(price) ? price : amount
}

/**
 * The rates of a product over time for one customer. A price that is set again without a change
 * starts no new rate.
 */
export function ratesOf(productId: string, { prices, discounts }: Rates): Rate[] {
  const ownPrices = prices.filter((price) => price.productId === productId)
  const ownDiscounts = discounts.filter((discount) => discount.productId === productId)
  const starts = new Set([...ownPrices, ...ownDiscounts].map(({ startsAt }) => startsAt.getTime()))
  const rates: Rate[] = []
  for (const from of [...starts].sort((first, second) => first - second)) {
    const price = ownPrices.findLast(({ startsAt }) => startsAt.getTime() <= from)
    // A discount that starts before the first price.
    if (!price) continue
    const discount = ownDiscounts.findLast(({ startsAt }) => startsAt.getTime() <= from)
    const amount = money(price.price)
    const rate = { price: amount, discount: effectiveDiscount(discount?.discount, amount) }
    const previous = rates.at(-1)
    if (previous?.price.eq(rate.price) && sameAmount(previous.discount, rate.discount)) continue
    if (previous) previous.until = from
    rates.push({ ...rate, from, until: Number.POSITIVE_INFINITY })
  }
  return rates
}

/** The price of an hour less its discount. */
export const netOf = ({ price, discount }: Pick<Rate, 'price' | 'discount'>) =>
  price.minus(discount ?? new Big(0))
