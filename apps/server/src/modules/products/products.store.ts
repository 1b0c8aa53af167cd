import type { UserId } from '@slipway/contract/account'
import type { Amount } from '@slipway/contract/amount'
import { and, asc, eq, lt, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../db/connect.ts'
import { prepared } from '../../db/prepared.ts'
import { productPrices, products, userDiscounts } from './products.schema.ts'

export type Product = typeof products.$inferSelect
export type Price = Pick<typeof productPrices.$inferSelect, 'productId' | 'startsAt' | 'price'>
export type Discount = Pick<
  typeof userDiscounts.$inferSelect,
  'productId' | 'startsAt' | 'discount'
>

export const list = (db: Db): Promise<Product[]> =>
  db.select().from(products).orderBy(asc(products.id)).limit(1000)

export async function find(db: Db, id: string): Promise<Product | undefined> {
  const [product] = await db.select().from(products).where(eq(products.id, id))
  return product
}

const prices = prepared('list_prices', (db) =>
  db
    .select({
      productId: productPrices.productId,
      startsAt: productPrices.startsAt,
      price: productPrices.price,
    })
    .from(productPrices)
    .where(lt(productPrices.startsAt, sql`${sql.placeholder('before')}::timestamptz`))
    .orderBy(asc(productPrices.startsAt), asc(productPrices.productId)),
)

/**
 * Every price that starts before `before`, or all, in order of time. Unlimited: billing needs all.
 */
export const listPrices = (db: Db, before?: Date): Promise<Price[]> =>
  prices(db).execute({ before: before?.toISOString() ?? 'infinity' })

const discounts = prepared('list_discounts', (db) =>
  db
    .select({
      productId: userDiscounts.productId,
      startsAt: userDiscounts.startsAt,
      discount: userDiscounts.discount,
    })
    .from(userDiscounts)
    .where(
      and(
        eq(userDiscounts.userId, sql.placeholder('userId')),
        lt(userDiscounts.startsAt, sql`${sql.placeholder('before')}::timestamptz`),
      ),
    )
    .orderBy(asc(userDiscounts.startsAt), asc(userDiscounts.productId)),
)

/** The user's discounts that start before `before`, in order of time. */
export const listDiscountsForUser = (db: Db, userId: UserId, before: Date): Promise<Discount[]> =>
  discounts(db).execute({ userId, before: before.toISOString() })

export async function setPrice(tx: Tx, price: Price & { changedBy: UserId }, now: Date) {
  await tx
    .insert(productPrices)
    .values({ ...price, createdAt: now })
    .onConflictDoUpdate({
      target: [productPrices.productId, productPrices.startsAt],
      set: { price: price.price, changedBy: price.changedBy, createdAt: now },
    })
}

export async function setDiscount(
  tx: Tx,
  discount: {
    userId: UserId
    productId: string
    startsAt: Date
    discount: Amount | null
    changedBy: UserId
  },
  now: Date,
) {
  await tx
    .insert(userDiscounts)
    .values({ ...discount, createdAt: now })
    .onConflictDoUpdate({
      target: [userDiscounts.userId, userDiscounts.productId, userDiscounts.startsAt],
      set: {
        discount: discount.discount,
        changedBy: discount.changedBy,
        createdAt: now,
      },
    })
}
