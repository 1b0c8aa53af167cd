import { and, asc, eq, gt, inArray, lte, ne, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../db/connect.ts'
import type { InstanceId } from '../../engines/hosting/engine.ts'
import { instances } from './instances.schema.ts'

export type StoredInstance = typeof instances.$inferSelect
export type Address = { host: string; port: number }

/** The PostgreSQL channel on which gateways and engines receive the keys of changed instances. */
export const channel = 'slipway_instances'

/** Makes every process read these instances again, once the transaction commits. */
export async function notify(tx: Tx, keys: readonly string[]) {
  for (const key of keys) await tx.execute(sql`select pg_notify(${channel}, ${key})`)
}

const isInstance = ({ key, cluster }: InstanceId) =>
  and(eq(instances.key, key), eq(instances.cluster, cluster))

export const list = (
  db: Db,
  last: InstanceId | undefined,
  limit: number,
): Promise<StoredInstance[]> =>
  db
    .select()
    .from(instances)
    .where(last && sql`(${instances.key}, ${instances.cluster}) > (${last.key}, ${last.cluster})`)
    .orderBy(asc(instances.key), asc(instances.cluster))
    .limit(limit)

export async function find(db: Db, id: InstanceId): Promise<StoredInstance | undefined> {
  const [instance] = await db.select().from(instances).where(isInstance(id))
  return instance
}

/** The instances of a project: of each cluster that has one. */
export const listByKey = (db: Db, key: string): Promise<StoredInstance[]> =>
  db.select().from(instances).where(eq(instances.key, key))

/** Adds an instance, which is awake once it has an address; false when it exists. */
export async function insert(
  db: Db,
  instance: InstanceId & { awakeUntil: Date },
): Promise<boolean> {
  const rows = await db
    .insert(instances)
    .values({ ...instance, wakefulness: 'waking' })
    .onConflictDoNothing()
    .returning({ key: instances.key })
  return rows.length > 0
}

/** Ends the sleep of an instance; undefined when it does not sleep. */
export async function wake(
  db: Db,
  id: InstanceId,
  awakeUntil: Date,
): Promise<StoredInstance | undefined> {
  const [instance] = await db
    .update(instances)
    .set({ wakefulness: 'waking', awakeUntil })
    .where(and(isInstance(id), eq(instances.wakefulness, 'asleep')))
    .returning()
  return instance
}

/** Extends the lease of an instance that does not sleep; undefined for others. */
export async function extend(
  db: Db,
  id: InstanceId,
  awakeUntil: Date,
): Promise<StoredInstance | undefined> {
  const [instance] = await db
    .update(instances)
    .set({ awakeUntil: sql`greatest(${instances.awakeUntil}, ${awakeUntil})` })
    .where(and(isInstance(id), ne(instances.wakefulness, 'asleep')))
    .returning()
  return instance
}

/** Shortens the leases of a cluster that end later. */
export async function limitLeases(db: Db, cluster: string, awakeUntil: Date): Promise<void> {
  await db
    .update(instances)
    .set({ awakeUntil })
    .where(and(eq(instances.cluster, cluster), gt(instances.awakeUntil, awakeUntil)))
}

/**
 * Stores an address: the instance is awake then. False if it is unchanged or the instance sleeps.
 */
export async function setAddress(
  db: Db,
  id: InstanceId,
  address: Address | null,
): Promise<boolean> {
  const { host, port } = address ?? { host: null, port: null }
  const rows = await db
    .update(instances)
    .set({ host, port, ...(address ? { wakefulness: 'awake' as const } : {}) })
    .where(
      and(
        isInstance(id),
        ne(instances.wakefulness, 'asleep'),
        sql`(${instances.host}, ${instances.port}) is distinct from (${host}::text, ${port}::integer)`,
      ),
    )
    .returning({ key: instances.key })
  return rows.length > 0
}

/** Puts instances of a cluster to sleep whose lease ended before `now`, the longest idle first. */
export async function sleepIdle(
  db: Db,
  cluster: string,
  now: Date,
  limit: number,
): Promise<string[]> {
  const idle = db
    .select({ key: instances.key })
    .from(instances)
    .where(
      and(
        eq(instances.wakefulness, 'awake'),
        lte(instances.awakeUntil, now),
        eq(instances.cluster, cluster),
      ),
    )
    .orderBy(asc(instances.awakeUntil), asc(instances.key))
    .limit(limit)
    .for('update', { skipLocked: true })
  const rows = await db
    .update(instances)
    .set({ wakefulness: 'asleep', host: null, port: null })
    .where(and(eq(instances.cluster, cluster), inArray(instances.key, idle)))
    .returning({ key: instances.key })
  return rows.map(({ key }) => key)
}

/** False when there was none. */
export async function remove(db: Db, id: InstanceId): Promise<boolean> {
  const rows = await db.delete(instances).where(isInstance(id)).returning({ key: instances.key })
  return rows.length > 0
}
