import type { UserId } from '@slipway/contract/account'
import type { ProjectId } from '@slipway/contract/projects'
import type { TeamId } from '@slipway/contract/teams'
import type { LocalizedName } from '@slipway/phrases'
import { and, asc, desc, eq, gt, isNull, lt, or, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../db/connect.ts'
import { newId } from '../../db/ids.ts'
import { prepared } from '../../db/prepared.ts'
import { products } from '../products/products.schema.ts'
import { projects } from '../projects/projects.schema.ts'
import { teams } from '../teams/teams.schema.ts'
import { billingAccounts, usageIntervals } from './usage.schema.ts'

export type Interval = typeof usageIntervals.$inferSelect
export type Account = typeof billingAccounts.$inferSelect

export async function findOwnerId(db: Db, teamId: TeamId): Promise<UserId | undefined> {
  const [team] = await db.select({ userId: teams.userId }).from(teams).where(eq(teams.id, teamId))
  return team?.userId
}

/** The project's open interval, or its last one. */
export async function findLast(db: Db, projectId: ProjectId): Promise<Interval | undefined> {
  const [last] = await db
    .select()
    .from(usageIntervals)
    .where(eq(usageIntervals.projectId, projectId))
    // Descending puts null, the open interval, first.
    .orderBy(desc(usageIntervals.endedAt), desc(usageIntervals.id))
    .limit(1)
  return last
}

export async function insert(tx: Tx, interval: Omit<Interval, 'id' | 'endedAt'>) {
  await tx.insert(usageIntervals).values({ id: newId<'UsageInterval'>(), ...interval })
}

export async function setEnded(tx: Tx, id: string, endedAt: Date) {
  const ended = await tx
    .update(usageIntervals)
    .set({ endedAt })
    .where(and(eq(usageIntervals.id, id), isNull(usageIntervals.endedAt)))
    .returning({ id: usageIntervals.id })
  if (ended.length !== 1) throw new Error(`usage interval ${id} has already ended`)
}

export type Usage = Pick<Interval, 'projectId' | 'productId' | 'startedAt' | 'endedAt'> & {
  projectKey: string
  projectName: string
  productNames: LocalizedName
}

const usageQuery = prepared('list_usage', (db) =>
  db
    .select({
      projectId: usageIntervals.projectId,
      productId: usageIntervals.productId,
      startedAt: usageIntervals.startedAt,
      endedAt: usageIntervals.endedAt,
      projectKey: projects.key,
      projectName: projects.name,
      productNames: products.names,
    })
    .from(usageIntervals)
    .innerJoin(projects, eq(projects.id, usageIntervals.projectId))
    .innerJoin(products, eq(products.id, usageIntervals.productId))
    .where(
      and(
        eq(usageIntervals.userId, sql.placeholder('userId')),
        lt(usageIntervals.startedAt, sql`${sql.placeholder('end')}::timestamptz`),
        or(
          isNull(usageIntervals.endedAt),
          gt(usageIntervals.endedAt, sql`${sql.placeholder('start')}::timestamptz`),
        ),
      ),
    )
    .orderBy(asc(usageIntervals.startedAt), asc(usageIntervals.id)),
)

export const listForUser = (
  db: Db,
  userId: UserId,
  { start, end }: { start: Date; end: Date },
): Promise<Usage[]> =>
  usageQuery(db).execute({ userId, start: start.toISOString(), end: end.toISOString() })

const billingAccountQuery = prepared('find_billing_account', (db) =>
  db
    .select()
    .from(billingAccounts)
    .where(eq(billingAccounts.userId, sql.placeholder('userId'))),
)

export async function findAccount(db: Db, userId: UserId): Promise<Account | undefined> {
  const [account] = await billingAccountQuery(db).execute({ userId })
  return account
}

export const insertAccount = (tx: Tx, account: Account) =>
  tx.insert(billingAccounts).values(account).onConflictDoNothing()

/**
 * Locks the user's account until the transaction ends: `share` blocks billing, `update` also blocks
 * changes of usage.
 */
export async function lockAccount(
  tx: Tx,
  userId: UserId,
  strength: 'share' | 'update',
): Promise<Account | undefined> {
  const [account] = await tx
    .select()
    .from(billingAccounts)
    .where(eq(billingAccounts.userId, userId))
    .for(strength)
  return account
}

/** Moves the billed time forward. Throws if it has changed since the account was read. */
export async function setBilledUntil(tx: Tx, { userId, billedUntil }: Account, until: Date) {
  const updated = await tx
    .update(billingAccounts)
    .set({ billedUntil: until })
    .where(and(eq(billingAccounts.userId, userId), eq(billingAccounts.billedUntil, billedUntil)))
    .returning({ userId: billingAccounts.userId })
  if (updated.length !== 1) throw new Error(`billed_until of user ${userId} has changed`)
}

export const listBilledBefore = (
  db: Db,
  end: Date,
  cursor: Account | undefined,
  limit: number,
): Promise<Account[]> => {
  const position = sql`(${billingAccounts.billedUntil}, ${billingAccounts.userId})`
  return db
    .select()
    .from(billingAccounts)
    .where(
      and(
        lt(billingAccounts.billedUntil, end),
        cursor &&
          sql`${position} > (${cursor.billedUntil.toISOString()}::timestamptz, ${cursor.userId}::uuid)`,
      ),
    )
    .orderBy(asc(billingAccounts.billedUntil), asc(billingAccounts.userId))
    .limit(limit)
}
