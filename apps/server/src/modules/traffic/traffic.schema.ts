import type { ProjectId } from '@slipway/contract/projects'
import { sql } from 'drizzle-orm'
import { bigint, date, index, integer, pgTable, primaryKey, uuid } from 'drizzle-orm/pg-core'
import { bytes, time } from '../../db/columns.ts'
import { projects } from '../projects/projects.schema.ts'

const projectId = () =>
  uuid()
    .$type<ProjectId>()
    .notNull()
    .references(() => projects.id)

/** The requests of a project in an hour, of all gateways. */
export const trafficHours = pgTable(
  'traffic_hours',
  {
    projectId: projectId(),
    hour: time().notNull(),
    /** Responses by the class of their status. Their sum is the number of requests. */
    status1xx: integer().notNull(),
    status2xx: integer().notNull(),
    status3xx: integer().notNull(),
    status4xx: integer().notNull(),
    status5xx: integer().notNull(),
    bytes: bigint({ mode: 'number' }).notNull(),
    /** Responses by time: the buckets of `traffic.times.ts`. */
    times: integer().array().notNull(),
    /** The sketch of `traffic.visitors.ts`; empty once its day is counted. */
    visitors: integer().array().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.hour] }),
    // To remove old hours.
    index('traffic_hours_hour').on(table.hour),
    // To find days that are not counted yet.
    index('traffic_hours_uncounted').on(table.hour).where(sql`${table.visitors} <> '{}'`),
  ],
)

/** The visitors of a project on a past day, in UTC. */
export const trafficDays = pgTable(
  'traffic_days',
  {
    projectId: projectId(),
    day: date({ mode: 'string' }).notNull(),
    visitors: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.day] }),
    index('traffic_days_day').on(table.day),
  ],
)

/** The salt of each day's visitor hashes. Without it, no hash can be traced to a visitor. */
export const trafficSalts = pgTable('traffic_salts', {
  day: date({ mode: 'string' }).primaryKey(),
  salt: bytes().notNull(),
})

/** The number of each gateway's last batch, so that no batch is counted twice. */
export const trafficWriters = pgTable(
  'traffic_writers',
  {
    id: uuid().primaryKey(),
    batch: integer().notNull(),
    writtenAt: time().notNull(),
  },
  (table) => [index('traffic_writers_written_at').on(table.writtenAt)],
)
