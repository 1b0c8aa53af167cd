import type { UserId } from '@slipway/contract/account'
import type { InputOf, ResponseOf } from '@slipway/contract/endpoint'
import type { changeDiscount, changePrice, Product } from '@slipway/contract/products'
import type { Locale } from '@slipway/phrases'
import type { Db, UserContext } from '../../context.ts'
import { invalid, problem } from '../../problem.ts'
import * as account from '../account/account.service.ts'
import * as store from './products.store.ts'

function present(
  product: store.Product,
  prices: readonly store.Price[],
  locale: Locale,
  now: Date,
): Product {
  const own = prices.filter(({ productId }) => productId === product.id)
  const current = own.findLast(({ startsAt }) => startsAt <= now)
  if (!current) throw new Error(`the product ${product.id} has no price`)
  return {
    id: product.id,
    name: product.names[locale],
    price: current.price,
    comingPrices: own
      .filter(({ startsAt }) => startsAt > now)
      .map(({ price, startsAt }) => ({ price, from: startsAt.toISOString() })),
  }
}

/** What is billed, with what an hour costs now and later, in US dollars. */
export async function all(ctx: UserContext): Promise<Product[]> {
  const prices = await store.listPrices(ctx.db)
  const now = ctx.clock.now()
  return (await store.list(ctx.db)).map((product) => present(product, prices, ctx.locale, now))
}

/**
 * The moment from which something new holds: now, unless a later one is given. Hours that have begun keep
 * what they began with, so it is never the past: throws `validation_error`.
 */
function startOf(from: string | undefined, now: Date) {
  const startsAt = from === undefined ? now : new Date(from)
  if (startsAt < now) throw invalid({ from: 'form_not_in_the_past' })
  return startsAt
}

/**
 * Sets what an hour costs that begins from now or a later time on; gives the product. What was set for the
 * same moment before is replaced: no hour has begun with it. Throws `item_not_found` for an unknown
 * product, and `validation_error` for a time in the past.
 */
export const setPrice = (
  ctx: UserContext,
  { productId, price, from }: InputOf<typeof changePrice>['body'],
): Promise<Product> =>
  ctx.write(async (tx) => {
    const now = ctx.clock.now()
    const startsAt = startOf(from, now)
    const product = await store.find(tx, productId)
    if (!product) throw problem('item_not_found')
    await store.setPrice(tx, { productId, startsAt, price }, now)
    return present(product, await store.listPrices(tx), ctx.locale, now)
  })

/**
 * Sets what somebody pays less for an hour that begins from now or a later time on; null ends a discount.
 * It may be more than the price: then the hours cost nothing. Throws `item_not_found` for an unknown user
 * or product, and `validation_error` for a time in the past.
 */
export const setDiscount = (
  ctx: UserContext,
  { email, productId, discount, from }: InputOf<typeof changeDiscount>['body'],
): Promise<ResponseOf<typeof changeDiscount>> =>
  ctx.write(async (tx) => {
    const now = ctx.clock.now()
    const startsAt = startOf(from, now)
    const user = await account.findByEmail(tx, email)
    const product = await store.find(tx, productId)
    if (!user || !product) throw problem('item_not_found')
    await store.setDiscount(tx, { userId: user.id, productId, startsAt, discount }, now)
    return { userId: user.id, productId, discount, from: startsAt.toISOString() }
  })

/** What decides the price of an hour that begins before `before`: prices and the user's discounts by time. */
export async function ratesFor(
  db: Db,
  userId: UserId,
  before: Date,
): Promise<{ prices: store.Price[]; discounts: store.Discount[] }> {
  const prices = await store.listPrices(db, before)
  return { prices, discounts: await store.listDiscountsForUser(db, userId, before) }
}
