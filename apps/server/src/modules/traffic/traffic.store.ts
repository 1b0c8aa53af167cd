import type { ProjectId } from '@slipway/contract/projects'
import { and, asc, eq, gte, inArray, isNotNull, lt, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../db/connect.ts'
import { projects } from '../projects/projects.schema.ts'
import { trafficDays, trafficHours, trafficSalts, trafficWriters } from './traffic.schema.ts'

export type TrafficHour = typeof trafficHours.$inferSelect

/** The traffic of one project in one hour, as one gateway counted it. */
export type CountedHour = {
  /** The project's key. */
  key: string
  /** The start of the hour, in milliseconds since 1970. */
  hour: number
  /** Responses by status class: 1xx, 2xx, 3xx, 4xx, 5xx. */
  statuses: readonly number[]
  bytes: number
  /** The histogram of response times, by bucket of `traffic.times.ts`. */
  times: readonly number[]
  /** The HyperLogLog sketch of the visitors, as elements of `traffic.visitors.ts`. */
  visitors: readonly number[]
}

/** The salt of a day. The first gateway that needs it stores it. */
export async function findOrCreateSalt(db: Db, day: string, salt: Buffer): Promise<Buffer> {
  await db.insert(trafficSalts).values({ day, salt }).onConflictDoNothing()
  const [row] = await db.select().from(trafficSalts).where(eq(trafficSalts.day, day))
  if (!row) throw new Error('the salt of the day was not stored')
  return row.salt
}

export const removeSalts = (db: Db, before: string) =>
  db.delete(trafficSalts).where(lt(trafficSalts.day, before))

/** Adds a gateway's batch once: a repeated one changes nothing. Skips unknown projects. */
export async function addBatch(
  tx: Tx,
  { writer, number, now }: { writer: string; number: number; now: Date },
  hours: readonly CountedHour[],
): Promise<void> {
  const isNew = await tx
    .insert(trafficWriters)
    .values({ id: writer, batch: number, writtenAt: now })
    .onConflictDoUpdate({
      target: trafficWriters.id,
      set: { batch: number, writtenAt: now },
      setWhere: lt(trafficWriters.batch, number),
    })
    .returning({ id: trafficWriters.id })
  if (isNew.length === 0) return
  const rows = hours.map(({ key, hour, statuses: [s1, s2, s3, s4, s5], ...rest }) => ({
    key,
    hour: new Date(hour),
    s1,
    s2,
    s3,
    s4,
    s5,
    ...rest,
  }))
  // Sorted, so that concurrent gateways lock rows in the same order and cannot deadlock.
  await tx.execute(sql`
    insert into traffic_hours as stored (project_id, hour, status1xx, status2xx, status3xx, status4xx,
      status5xx, bytes, times, visitors)
    select projects.id, counted.hour, s1, s2, s3, s4, s5, bytes, times, visitors
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as counted(key text, hour timestamptz,
      s1 int, s2 int, s3 int, s4 int, s5 int, bytes bigint, times int[], visitors int[])
    join projects on projects.key = counted.key and projects.state <> 'deleted'
    order by projects.id, counted.hour
    on conflict (project_id, hour) do update set
      status1xx = stored.status1xx + excluded.status1xx,
      status2xx = stored.status2xx + excluded.status2xx,
      status3xx = stored.status3xx + excluded.status3xx,
      status4xx = stored.status4xx + excluded.status4xx,
      status5xx = stored.status5xx + excluded.status5xx,
      bytes = stored.bytes + excluded.bytes,
      times = (
        select array_agg(coalesce(stored_count, 0) + coalesce(added_count, 0) order by bucket)
        from unnest(stored.times, excluded.times) with ordinality as merged(stored_count, added_count, bucket)
      ),
      -- Merges two HyperLogLog sketches: of each register stays the element with the highest rank.
      -- The rank is the low six bits of an element, the register the bits above them.
      visitors = array(
        select max(element) from unnest(stored.visitors || excluded.visitors) as element
        group by element >> 6
      )`)
}

/** A project's hours since `from`, oldest first. The caller checks access to the project. */
export const listHours = (db: Db, projectId: ProjectId, from: Date): Promise<TrafficHour[]> =>
  db
    .select()
    .from(trafficHours)
    .where(and(eq(trafficHours.projectId, projectId), gte(trafficHours.hour, from)))
    .orderBy(asc(trafficHours.hour))

/**
 * A project's days since `from` whose visitors are already counted. The caller checks access to the
 * project.
 */
export const listDays = (db: Db, projectId: ProjectId, from: string) =>
  db
    .select({ day: trafficDays.day, visitors: trafficDays.visitors })
    .from(trafficDays)
    .where(and(eq(trafficDays.projectId, projectId), gte(trafficDays.day, from)))

const isUncounted = sql`${trafficHours.visitors} <> '{}'`

/** The first hour before `before` whose visitors are not counted yet. */
export async function findUncounted(db: Db, before: Date): Promise<Date | undefined> {
  const [row] = await db
    .select({ hour: trafficHours.hour })
    .from(trafficHours)
    .where(and(lt(trafficHours.hour, before), isUncounted))
    .orderBy(asc(trafficHours.hour))
    .limit(1)
  return row?.hour
}

/** Locks all uncounted hours that up to `maxProjects` projects have on a day. */
export const lockUncounted = (tx: Tx, day: { start: Date; end: Date }, maxProjects: number) => {
  const uncounted = and(
    gte(trafficHours.hour, day.start),
    lt(trafficHours.hour, day.end),
    isUncounted,
  )
  const projectIds = tx
    .selectDistinct({ projectId: trafficHours.projectId })
    .from(trafficHours)
    .where(uncounted)
    .orderBy(asc(trafficHours.projectId))
    .limit(maxProjects)
  return tx
    .select({
      projectId: trafficHours.projectId,
      hour: trafficHours.hour,
      visitors: trafficHours.visitors,
    })
    .from(trafficHours)
    .where(and(uncounted, inArray(trafficHours.projectId, projectIds)))
    .orderBy(asc(trafficHours.projectId), asc(trafficHours.hour))
    .for('update')
}

export async function storeDays(
  tx: Tx,
  days: (typeof trafficDays.$inferInsert)[],
  hours: Pick<TrafficHour, 'projectId' | 'hour'>[],
) {
  await tx
    .insert(trafficDays)
    .values(days)
    .onConflictDoUpdate({
      target: [trafficDays.projectId, trafficDays.day],
      // A gateway that was offline for days can add hours to a day that was already counted.
      set: { visitors: sql`greatest(${trafficDays.visitors}, excluded.visitors)` },
    })
  for (const { projectId, hour } of hours)
    await tx
      .update(trafficHours)
      .set({ visitors: [] })
      .where(and(eq(trafficHours.projectId, projectId), eq(trafficHours.hour, hour)))
}

export async function removeBefore(db: Db, time: Date) {
  await db.delete(trafficHours).where(lt(trafficHours.hour, time))
  await db.delete(trafficDays).where(lt(trafficDays.day, time.toISOString().slice(0, 10)))
}

/**
 * Removes the last batch numbers of gateways that stored no batch since `before`: none of them
 * repeats a batch that late.
 */
export const removeBatchNumbers = (db: Db, before: Date) =>
  db.delete(trafficWriters).where(lt(trafficWriters.writtenAt, before))

/** Up to `limit` deleted projects that still have traffic, the oldest deletion first. */
export async function listDeleted(db: Db, limit: number): Promise<ProjectId[]> {
  // One look into each index for each deleted project. `exists` could scan both tables.
  const hasHours = sql`(select true from traffic_hours where project_id = ${projects.id} limit 1)`
  const hasDays = sql`(select true from traffic_days where project_id = ${projects.id} limit 1)`
  const rows = await db
    .select({ id: projects.id })
    .from(projects)
    .where(and(isNotNull(projects.deletedAt), sql`coalesce(${hasHours}, ${hasDays})`))
    .orderBy(asc(projects.deletedAt), asc(projects.id))
    .limit(limit)
  return rows.map(({ id }) => id)
}

export async function removeOfProject(db: Db, id: ProjectId) {
  await db.delete(trafficHours).where(eq(trafficHours.projectId, id))
  await db.delete(trafficDays).where(eq(trafficDays.projectId, id))
}
