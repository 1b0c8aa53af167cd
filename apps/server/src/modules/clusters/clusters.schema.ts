import { type ClusterResult, clusterStates } from '@slipway/contract/clusters'
import { boolean, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { time } from '../../db/columns.ts'

/**
 * The clusters that run the sites. Each start of a server stores their settings; only operators
 * change the state.
 */
export const clusters = pgTable('clusters', {
  name: text().primaryKey(),
  /** Null for a cluster that runs the projects of all regions. */
  regionId: text(),
  /** The maximum number of projects; null without a limit. */
  capacity: integer(),
  state: text({ enum: clusterStates }).notNull().default('open'),
  /** Since when a worker has not reached it; null while it responds. */
  unreachableSince: time(),
})

/** The newest check of the clusters that run the sites. */
export const clusterChecks = pgTable('cluster_checks', {
  /** KUBERNETES_INSTALLATION. */
  installation: text().primaryKey(),
  /** A digest of the settings at the check: results with other settings are outdated. */
  settings: text().notNull(),
  requestedAt: time().notNull(),
  /** True until a worker has finished the requested check. */
  pending: boolean().notNull(),
  /** When the newest finished check ended; null before the first. */
  checkedAt: time(),
  results: jsonb().$type<readonly ClusterResult[]>(),
})
