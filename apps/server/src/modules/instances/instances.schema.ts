import { sql } from 'drizzle-orm'
import { index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { time } from '../../db/columns.ts'

/** `waking`: no longer asleep, but not accepting requests yet. */
export const wakefulness = ['awake', 'waking', 'asleep'] as const

/**
 * The instances of an engine whose sites are on the network: where each accepts requests, and until
 * when gateways need it awake. Written by the engine and the gateways, read by all gateways.
 */
export const instances = pgTable(
  'instances',
  {
    /** The project's key. */
    key: text().notNull(),
    cluster: text().notNull().default('default'),
    /** Null while it accepts no requests. */
    host: text(),
    port: integer(),
    wakefulness: text({ enum: wakefulness }).notNull().default('awake'),
    awakeUntil: time().notNull(),
  },
  (table) => [
    // A project that changes its cluster has an instance in each.
    primaryKey({ columns: [table.key, table.cluster] }),
    // The engine looks for idle instances every few seconds.
    index('instances_awake')
      .on(table.awakeUntil, table.key)
      .where(sql`${table.wakefulness} = 'awake'`),
  ],
)
