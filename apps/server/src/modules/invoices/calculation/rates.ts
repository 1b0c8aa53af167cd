import { money } from '@slipway/contract/money'
import Big from 'big.js'

/** Prices and discounts of one customer, each from a moment on, in the order of time. */
export type Rates = {
  prices: readonly { productId: string; startsAt: Date; price: string }[]
  discounts: readonly { productId: string; startsAt: Date; discount: string | null }[]
}

/** What an hour costs that begins from `from` on, before `until`: milliseconds since 1970. */
export type Rate = { from: number; until: number; price: Big; discount: Big | null }

const sameAmount = (one: Big | null, other: Big | null) =>
  one === null || other === null ? one === other : one.eq(other)

/** A discount takes off the whole price at most; none, or one of nothing, is null. */
function effectiveDiscount(discount: string | null | undefined, price: Big) {
  if (discount === null || discount === undefined) return null
  const off = money(discount)
  if (!off.gt(0)) return null
  return off.gt(price) ? price : off
}

/**
 * How the price of a product goes over time for one customer. Neighbours differ: a price that is set anew
 * without being another one is no change.
 */
export function ratesOf(productId: string, { prices, discounts }: Rates): Rate[] {
  const own = prices.filter((price) => price.productId === productId)
  const off = discounts.filter((discount) => discount.productId === productId)
  const moments = [...new Set([...own, ...off].map(({ startsAt }) => startsAt.getTime()))]
  const rates: Rate[] = []
  for (const from of moments.sort((one, other) => one - other)) {
    const price = own.findLast(({ startsAt }) => startsAt.getTime() <= from)
    // A discount that was given before there was anything to buy.
    if (!price) continue
    const discount = off.findLast(({ startsAt }) => startsAt.getTime() <= from)
    const each = money(price.price)
    const rate = { price: each, discount: effectiveDiscount(discount?.discount, each) }
    const before = rates.at(-1)
    if (before?.price.eq(rate.price) && sameAmount(before.discount, rate.discount)) continue
    if (before) before.until = from
    rates.push({ ...rate, from, until: Number.POSITIVE_INFINITY })
  }
  return rates
}

/** What is paid for an hour. */
export const netOf = ({ price, discount }: Pick<Rate, 'price' | 'discount'>) =>
  price.minus(discount ?? new Big(0))
