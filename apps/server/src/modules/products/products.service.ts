import type { UserId } from '@slipway/contract/account'
import type { InputOf, ResponseOf } from '@slipway/contract/endpoint'
import type * as contract from '@slipway/contract/products'
import { type Locale, localizedName } from '@slipway/phrases'
import type { Db, UserContext } from '../../context.ts'
import { invalid, problem } from '../../problem.ts'
import * as account from '../account/account.service.ts'
import * as store from './products.store.ts'

function toResponse(
  product: store.Product,
  prices: readonly store.Price[],
  locale: Locale,
  now: Date,
): contract.Product {
  const productPrices = prices.filter(({ productId }) => productId === product.id)
  const current = productPrices.findLast(({ startsAt }) => startsAt <= now)
  if (!current) throw new Error(`the product ${product.id} has no price`)
  return {
    id: product.id,
    name: localizedName(product.names, locale),
    price: current.price,
    comingPrices: productPrices
      .filter(({ startsAt }) => startsAt > now)
      .map(({ price, startsAt }) => ({ price, from: startsAt.toISOString() })),
  }
}

/** All products, with their current and coming prices of an hour in US dollars. */
export async function list(ctx: UserContext): Promise<contract.Product[]> {
  const prices = await store.listPrices(ctx.db)
  const now = ctx.clock.now()
  return (await store.list(ctx.db)).map((product) => toResponse(product, prices, ctx.locale, now))
}

/** When a change takes effect: `from`, or now. Throws `validation_error` for a time in the past. */
function startOf(from: string | undefined, now: Date) {
  const startsAt = from === undefined ? now : new Date(from)
  if (startsAt < now) throw invalid({ from: 'form_not_in_the_past' })
  return startsAt
}

/**
 * Sets the price of hours that begin now or from a later time, and stores the operator who did;
 * returns the product. Replaces a price set for the same time. Amounts in US dollars. Throws
 * `item_not_found` for an unknown product, and `validation_error` for a time in the past.
 */
export const changePrice = (
  ctx: UserContext,
  { productId, price, from }: InputOf<typeof contract.changePrice>['body'],
): Promise<contract.Product> =>
  ctx.write(async (tx) => {
    const now = ctx.clock.now()
    const startsAt = startOf(from, now)
    const product = await store.find(tx, productId)
    if (!product) throw problem('item_not_found')
    await store.setPrice(tx, { productId, startsAt, price, changedBy: ctx.user.id }, now)
    return toResponse(product, await store.listPrices(tx), ctx.locale, now)
  })

/**
 * Sets a user's discount on hours that begin now or from a later time, and stores the operator who
 * did; null ends it. A discount above the price makes the hours free. Amounts in US dollars. Throws
 * `item_not_found` for an unknown user or product, and `validation_error` for a time in the past.
 */
export const changeDiscount = (
  ctx: UserContext,
  { email, productId, discount, from }: InputOf<typeof contract.changeDiscount>['body'],
): Promise<ResponseOf<typeof contract.changeDiscount>> =>
  ctx.write(async (tx) => {
    const now = ctx.clock.now()
    const startsAt = startOf(from, now)
    const user = await account.findByEmail(tx, email)
    const product = await store.find(tx, productId)
    if (!user || !product) throw problem('item_not_found')
    const changedBy = ctx.user.id
    await store.setDiscount(tx, { userId: user.id, productId, startsAt, discount, changedBy }, now)
    return { userId: user.id, productId, discount, from: startsAt.toISOString() }
  })

/** The prices, and the user's discounts, of hours that begin before `before`, in order of time. */
export async function ratesFor(
  db: Db,
  userId: UserId,
  before: Date,
): Promise<{ prices: store.Price[]; discounts: store.Discount[] }> {
  const prices = await store.listPrices(db, before)
  return { prices, discounts: await store.listDiscountsForUser(db, userId, before) }
}
