import { versionedRuntimes } from '@slipway/contract/runtimes'
import { bigint, index, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core'
import { createdAt } from '../../db/columns.ts'

/** Versions that operators added for all projects, such as one of WordPress. */
export const runtimeVersions = pgTable(
  'runtime_versions',
  {
    id: uuid().primaryKey(),
    runtime: text({ enum: versionedRuntimes }).notNull(),
    version: text().notNull(),
    /** SHA-256 of the archive: the name of the artifact. */
    artifact: text().notNull(),
    archiveBytes: bigint({ mode: 'number' }).notNull(),
    createdAt,
  },
  (table) => [
    unique('runtime_versions_artifact').on(table.artifact, table.runtime),
    index('runtime_versions_newest').on(table.runtime, table.createdAt),
  ],
)
