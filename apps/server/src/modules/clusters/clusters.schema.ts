import type { ClusterResult } from '@slipway/contract/clusters'
import { boolean, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { time } from '../../db/columns.ts'

/** The newest check of the cluster that runs the sites. */
export const clusterChecks = pgTable('cluster_checks', {
  /** KUBERNETES_INSTALLATION. */
  installation: text().primaryKey(),
  /** A digest of the settings that are checked: results with others say nothing. */
  settings: text().notNull(),
  requestedAt: time().notNull(),
  /** True until a worker has finished the requested check. */
  pending: boolean().notNull(),
  /** Of the newest check that finished; null before the first. */
  checkedAt: time(),
  results: jsonb().$type<readonly ClusterResult[]>(),
})
